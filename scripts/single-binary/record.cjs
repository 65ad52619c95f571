// node record.cjs PROGRAM OUT ARGUMENTS...: runs the program from the texts in the folder PROGRAM and writes, when it ends, the
// code that Node made of each text into the folder OUT. The code of a whole program would take longer to read than a command.
'use strict';
const { mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { loaderOf } = require('../../bin/loader.js');

const [program, out, ...args] = process.argv.slice(2);
process.argv = [process.execPath, 'ipamctl', ...args];

const textOf = (name) => readFileSync(join(program, name), 'latin1');
const { load, files } = loaderOf({
  folder: '/ipamctl',
  textOf,
  codeOf: () => undefined,
  requireOther: require,
});

process.on('exit', () => {
  for (const [name, { script }] of files) {
    const path = join(out, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, script.createCachedData());
  }
});

const pjson = JSON.parse(textOf('package.json'));
const manifest = JSON.parse(textOf('oclif.manifest.json'));
const { main, COMMANDS } = load('cli.cjs');
main(args, { root: program, pjson, manifest, commands: COMMANDS });
