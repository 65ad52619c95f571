// Entry of the single binary, in place of bin/run.js: the files of the build are assets inside it, and so is the code that
// Node made of them, by what a command uses.
'use strict';
const { getAssetKeys, getRawAsset } = require('node:sea');
const { dirname } = require('node:path');
const { cacheName } = require('../../bin/cache-name.js');
const { loaderOf } = require('../../bin/loader.js');
const { printVersion } = require('../../bin/print-version.js');

/** Of the files inside. It must be absolute, since a relative one is looked for from a folder that may be gone. */
const FOLDER = '/ipamctl';
const args = process.argv.slice(2);
const assets = new Set(getAssetKeys());

/** The text of an asset; all of them are ASCII, which takes no decoding. */
function textOf(name) {
  return Buffer.from(getRawAsset(name)).latin1Slice();
}

function codeAsset(name, profile) {
  const found = [`code/${profile}/${name}`, `code/any/${name}`].find((key) => assets.has(key));
  return found === undefined ? undefined : Buffer.from(getRawAsset(found));
}

async function start() {
  const pjson = JSON.parse(textOf('package.json'));
  if (args.length === 1 && args[0] === '--version') {
    printVersion(pjson.version);
    return;
  }
  const manifest = JSON.parse(textOf('oclif.manifest.json'));
  const profile = cacheName(args, manifest.commands);
  const codeOf = (name) => codeAsset(name, profile);
  const program = loaderOf({ folder: FOLDER, textOf, codeOf, requireOther: require });
  const { main, COMMANDS } = program.load('cli.cjs');
  await main(args, { root: dirname(process.execPath), pjson, manifest, commands: COMMANDS });
}

start().catch((error) => {
  process.stderr.write(`ipamctl: it cannot start: ${error.stack ?? error}\n`);
  process.exitCode = 70;
});
