'use strict';
const { join } = require('node:path');
const { Script } = require('node:vm');

/** What a file of the build becomes: a function, whose text can be kept ready to be compiled. */
const BEFORE = '(function (exports, require, module, __filename) {';
const AFTER = '\n})';

/**
 * A `require` for the files of the build, wherever their texts and their compiled code are kept; each is loaded once.
 * @param folder Where the files say that they are.
 * @param textOf Gives the text of a file such as `cli.cjs`, with BEFORE and AFTER around it.
 * @param codeOf Gives compiled code of it, or undefined; code of another Node is taken no notice of.
 * @param requireOther Loads what is not of the build: modules of Node.
 */
function loaderOf({ folder, textOf, codeOf, requireOther }) {
  const files = new Map();
  const load = (name) => {
    const known = files.get(name);
    if (known !== undefined) return known.module.exports;
    const filename = join(folder, name);
    // Before the text is read, so that a file that is replaced meanwhile is not taken for the one that the code is of.
    const cachedData = codeOf(name);
    const columnOffset = -BEFORE.length;
    const script = new Script(textOf(name), { filename, columnOffset, cachedData });
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
