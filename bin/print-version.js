'use strict';

/** Status of an output that cannot be written, as of every command. */
const CANNOT_WRITE = 2;

/** Answers `--version` without loading anything, since scripts ask for it often. @param version That of the package. */
function printVersion(version) {
  process.stdout.on('error', (error) => {
    // Whoever reads it has gone.
    if (error.code === 'EPIPE') return;
    process.exitCode = CANNOT_WRITE;
    process.stderr.write(`Error: the output cannot be written: ${error.message}\n`);
  });
  const system = `${process.platform}-${process.arch}`;
  process.stdout.write(`ipamctl/${version} ${system} node-${process.version}\n`);
}

exports.printVersion = printVersion;
