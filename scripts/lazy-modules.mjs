// Plugins and rewrites for the bundle that let modules wait until they are used: a run of the program needs a tenth of what
// it contains, and loading is what a short command takes its time for.
import { readFile } from 'node:fs/promises';

/** A statement with which TypeScript loads a module in CommonJS, and what makes a namespace of it. */
const LOAD =
  /^(?:const|var) (\w+) = (__importStar\(|__importDefault\(|)(require\("[^"]+"\))\)?;$/gm;
const EXPORTED_LOAD = /^exports\.(\w+) = (__importStar\()(require\("[^"]+"\))\);$/gm;

/**
 * What stands in for libraries of oclif that the program never comes to use, or uses for one small thing.
 * - `debug`: oclif's own trace. Ours is `--verbose` and `DEBUG`.
 * - `ejs`: the templates in our help hold names of values only.
 * - `semver`: `bin/run.js` has compared the version of Node.
 * - `wsl-utils`: tells the Linux in Windows apart, for a user agent that nobody sends.
 * - the others search for commands and plugins in folders, and draw spinners.
 */
const STAND_INS = {
  debug: 'module.exports = () => Object.assign(() => undefined, { enabled: false });',
  ejs: `exports.render = (text, data) => text.replace(/<%(.*?)%>/g, (tag, code) => {
  const path = /^[-=] ?([\\w.]+) ?$/.exec(code)?.[1];
  if (path === undefined) throw new Error('no template of ours: ' + tag);
  return path.split('.').reduce((value, key) => value?.[key], data) ?? '';
});`,
  semver: 'exports.satisfies = () => true;',
  'wsl-utils': 'exports.isWsl = false;',
  'ansi-escapes': absent('ansi-escapes'),
  'cli-spinners': absent('cli-spinners'),
  'get-package-type': absent('get-package-type'),
  lilconfig: absent('lilconfig'),
  minimatch: absent('minimatch'),
  tinyglobby: absent('tinyglobby'),
  'ts-node': absent('ts-node'),
  tsx: absent('tsx'),
  typescript: absent('typescript'),
};

function absent(name) {
  return `throw new Error('${name} is not part of the program');`;
}

/** Lets oclif load its parts when it uses them, and leaves out what the program has no use for. */
export const lazyOclif = {
  name: 'lazy-oclif',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[a-z]/ }, ({ path, importer }) =>
      Object.hasOwn(STAND_INS, path) && /[\\/]@oclif[\\/]core[\\/]/.test(importer)
        ? { path, namespace: 'stand-in' }
        : undefined,
    );
    onLoad({ filter: /./, namespace: 'stand-in' }, ({ path }) => ({ contents: STAND_INS[path] }));
    onLoad({ filter: /[\\/]@oclif[\\/]core[\\/]lib[\\/].*\.js$/ }, async ({ path }) => ({
      contents: lazyLoads(await readFile(path, 'utf8')),
    }));
  },
};

/** Lets `string-width` tell plain texts at a glance; its expressions for colours and emoji take longer to make than a table. */
export const plainWidths = {
  name: 'plain-widths',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]string-width[\\/]index\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(
        /^\s*string = stripAnsi\(string\);/m,
        'if (/^[\\x20-\\x7e]*$/.test(string)) return string.length;$&',
      ),
    }));
  },
};

/** TypeScript's CommonJS with each `require` where its result is used in place of at the top. */
function lazyLoads(text) {
  const names = [];
  const lazy = text
    .replace(LOAD, (_, ...[name, wrap, load]) => {
      names.push(name);
      return `let ${name}$value; const ${name}$ = () => ${name}$value ??= ${wrap}${load}${wrap ? ')' : ''};`;
    })
    .replace(
      EXPORTED_LOAD,
      (_, ...[name, wrap, load]) =>
        `Object.defineProperty(exports, "${name}", { enumerable: true, get: () => ${wrap}${load}) });`,
    )
    // The program has a message of its own for an old Node.
    .replace(/^checkNodeVersion\(\);$/m, '');
  return names.reduce((code, name) => callInPlaceOf(code, name), lazy);
}

/** Turns each use of a namespace into a call that gets it. */
function callInPlaceOf(code, name, end = String.raw`(?![\w$])`) {
  return code
    .replace(new RegExp(String.raw`\bnew ${name}((?:\.\w+)+)\(`, 'g'), `new (${name}$1)(`)
    .replace(new RegExp(String.raw`(?<![\w.$])${name}${end}`, 'g'), `${name}$$()`);
}

/** A statement with which esbuild loads a module of Node or a file beside the bundle. */
const OUTSIDE =
  /^\s*(?:var )?(import_\w+) = (__toESM\(|)(require\("(?:node:|\.\/vendor\/)[^"]+"\))(?:, 1)?\)?;$/gm;

/** The text of a bundle in which modules of Node, and files of `vendor`, are loaded when they are first used. */
export function lazyImports(text) {
  const loads = new Map();
  const rest = text.replace(OUTSIDE, (_, ...[name, wrap, load]) => {
    loads.set(name, `${wrap}${load}${wrap ? ')' : ''}`);
    return '';
  });
  const getters = [...loads].map(
    ([name, load]) => `var ${name}; function ${name}$() { return ${name} ??= ${load}; }`,
  );
  const used = [...loads.keys()].reduce(
    (code, name) => callInPlaceOf(code, name, String.raw`(?=\.)`),
    rest,
  );
  return `${used}\n${getters.join('\n')}\n`;
}

/** What esbuild makes of the exports of a module that is required or imported when it is used: a function for each. */
const EXPORTS = /^var (\w+) = \{\};\n__export\(\1, (\{\n(?: {2}.*\n)*\})\);$/gm;

const EXPORTS_OF = `function __exportsOf(getters) {
  const target = __defProp({}, '__esModule', { value: true });
  __export(target, getters);
  return target;
}`;

/** The text of a bundle in which the exports of a module are put together where they are asked for. */
export function lazyExports(text) {
  const exported = new Map();
  const rest = text.replace(EXPORTS, (_, name, getters) => {
    exported.set(name, getters);
    return '';
  });
  const inPlace = rest.replaceAll(/__toCommonJS\((\w+)\)/g, (whole, name) =>
    exported.has(name) ? `__exportsOf(${exported.get(name)})` : whole,
  );
  const imported = new Set();
  const used = inPlace.replaceAll(/\b\w+_exports\d*\b/g, (name) => {
    if (!exported.has(name)) return name;
    imported.add(name);
    return `${name}$()`;
  });
  const makers = [...imported].map(
    (name) =>
      `var ${name}$made; function ${name}$() { return ${name}$made ??= __exportsOf(${exported.get(name)}); }`,
  );
  return [used, EXPORTS_OF, ...makers].join('\n');
}

/** Folders of the packages that files of a bundle come from. */
export function bundledLibraries(inputs) {
  const folders = inputs.flatMap(
    (path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [],
  );
  return [...new Set(folders)].sort();
}
