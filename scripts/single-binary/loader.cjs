'use strict';
const { Script } = require('node:vm');

/** What a file of the build becomes, so that its text can be kept ready to be compiled. */
const BEFORE = '(function (exports, require, module, __filename) {';
const AFTER = '\n})';

/**
 * A `require` for the files of the build, wherever their texts are kept; each is loaded once.
 * @param textOf Gives the text of a file such as `cli.cjs`, with BEFORE and AFTER around it.
 * @param codeOf Gives compiled code of it, or undefined; code of another Node is taken no notice of.
 * @param requireOther Loads what is not of the build: modules of Node.
 */
function loaderOf({ textOf, codeOf, requireOther }) {
  const files = new Map();
  const load = (name) => {
    const known = files.get(name);
    if (known !== undefined) return known.module.exports;
    // It must be absolute, since a relative one is looked for from a folder that may be gone.
    const filename = `/ipamctl/${name}`;
    const script = new Script(textOf(name), { filename, cachedData: codeOf(name) });
    const module = { exports: {} };
    files.set(name, { module, script });
    script.runInThisContext()(module.exports, requireFromFile, module, filename);
    return module.exports;
  };
  const requireFromFile = (id) => (id.startsWith('./') ? load(id.slice(2)) : requireOther(id));
  return { load, files };
}

exports.BEFORE = BEFORE;
exports.AFTER = AFTER;
exports.loaderOf = loaderOf;
