#!/usr/bin/env node
// Entry of the program. It runs on any Node of the last years, so that an older one is told what is needed. It is CommonJS,
// as all in this folder: to import `node:fs` as a module takes Node longer than `--version` takes as a whole.
'use strict';
const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..');
const args = process.argv.slice(2);
const pjson = readJson('package.json');

/** Status of a broken installation: the command line and the data are not to blame. */
const BROKEN_INSTALLATION = 70;

function readJson(name) {
  return JSON.parse(readFileSync(join(root, name), 'utf8'));
}

function complain(text) {
  process.stderr.write(`ipamctl: ${text}\n`);
  process.exitCode = BROKEN_INSTALLATION;
}

async function start() {
  if (args.length === 1 && args[0] === '--version') {
    require('./print-version.js').printVersion(pjson.version);
    return;
  }
  const { isRecentEnough } = require('./node-version.js');
  if (isRecentEnough(process.versions.node, pjson.engines.node)) await run();
  else runOnPinnedNode();
}

function runOnPinnedNode() {
  const { handOver, pinnedNode } = require('./hand-over.js');
  const node = pinnedNode(root);
  if (node === undefined)
    complain(`Node.js ${pjson.engines.node} is needed; this is ${process.version}`);
  // The file that was started, not this one: its name is the name that the help shows.
  else handOver(node, [process.argv[1], ...args]);
}

async function run() {
  const dist = join(root, 'dist');
  if (!existsSync(join(dist, 'cli.cjs'))) {
    complain('it is not built yet; run npm run build');
    return;
  }
  const manifest = readJson('oclif.manifest.json');
  const { AFTER, BEFORE, loaderOf } = require('./loader.js');
  const cache = require('./code-cache.js').codeCache(args, manifest.commands, dist);
  const { load, files } = loaderOf({
    folder: dist,
    // The build writes ASCII, which needs no decoding.
    textOf: (name) => `${BEFORE}${readFileSync(join(dist, name), 'latin1')}${AFTER}`,
    codeOf: cache.codeOf,
    requireOther: require,
  });
  process.on('exit', () => cache.keep(files));
  const { main, COMMANDS } = load('cli.cjs');
  await main(args, { root, pjson, manifest, commands: COMMANDS });
}

start().catch((error) => complain(`it cannot start: ${error.stack ?? error}`));
