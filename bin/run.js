#!/usr/bin/env node
// Entry of the program. It runs on any Node of the last years, so that an older one is told what is needed.
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { handOver, isRecentEnough, pinnedNode } from './node-version.js';

const root = new URL('..', import.meta.url);
const pathOf = (name) => fileURLToPath(new URL(name, root));
const args = process.argv.slice(2);
const { version, engines } = JSON.parse(readFileSync(pathOf('package.json'), 'utf8'));

/** Status of a broken installation: the command line and the data are not to blame. */
const BROKEN_INSTALLATION = 70;

function complain(text) {
  process.stderr.write(`ipamctl: ${text}\n`);
  process.exitCode = BROKEN_INSTALLATION;
}

function start() {
  // Answered without loading anything: scripts ask for it often.
  if (args.length === 1 && args[0] === '--version') {
    process.stdout.write(
      `ipamctl/${version} ${process.platform}-${process.arch} node-${process.version}\n`,
    );
    return;
  }
  if (!isRecentEnough(process.versions.node, engines.node)) {
    const node = pinnedNode(root);
    if (node === undefined)
      complain(`Node.js ${engines.node} is needed; this is ${process.version}`);
    else handOver(node, [fileURLToPath(import.meta.url), ...args]);
    return;
  }
  module.enableCompileCache?.();
  if (!existsSync(pathOf('dist/cli/main.js'))) {
    complain('it is not built yet; run npm run build');
    return;
  }
  run().catch((error) => complain(`it cannot start: ${error.stack ?? error}`));
}

async function run() {
  const { main } = await import(new URL('dist/cli/main.js', root).href);
  await main(args, fileURLToPath(root));
}

start();
