// What esbuild makes of src: `cli.cjs` with the core of the program and a file for each other part, `library.cjs` with the
// library, and in `vendor` a file for each package that few runs need. All of it is CommonJS, which starts faster than
// modules.
import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build, transform } from 'esbuild';
import {
  bundledLibraries,
  lazyExports,
  lazyImports,
  lazyOclif,
  plainWidths,
} from './lazy-modules.mjs';
import { assertApart, fromOtherParts, programParts, SRC } from './program-parts.mjs';

/** Files of `vendor` by what src imports. */
const VENDORS = {
  '@grpc/grpc-js': 'grpc',
  '@kubernetes/client-node/dist/config.js': 'kubernetes-config',
  '@kubernetes/client-node/dist/exec_auth.js': 'kubernetes-exec-auth',
  chalk: 'chalk',
  'cli-table3': 'cli-table3',
  'js-yaml': 'js-yaml',
  ora: 'ora',
  'prom-client': 'prom-client',
  yaml: 'yaml',
};

const SHAPE = {
  bundle: true,
  format: 'cjs',
  metafile: true,
  platform: 'node',
  target: 'node22',
  // `import()` of a file beside it would start the machinery of modules.
  supported: { 'dynamic-import': false },
  logLevel: 'warning',
};

/** What stands for `import.meta.url`, which CommonJS has not. Only the library uses it, and to make it takes time. */
const MODULE_URL = {
  banner: { js: 'const importMetaUrl = require("node:url").pathToFileURL(__filename).href;' },
  define: { 'import.meta.url': 'importMetaUrl' },
};

/** Names stay, for the stacks in reports of bugs. */
const SMALL = { minifyWhitespace: true, minifySyntax: true };

/**
 * Writes the bundles into a folder.
 * @returns the packages that they contain, for the notices.
 */
export async function bundle(outDir) {
  const parts = await programParts(commandPaths());
  const ofParts = await Promise.all(
    parts.map(({ name, text, plugin }) =>
      bundleOwn(join(outDir, `${name}.cjs`), text, { plugins: [plugin] }),
    ),
  );
  assertApart(Object.fromEntries(parts.map(({ name }, at) => [name, ofParts[at]])));
  const others = await Promise.all([
    bundleOwn(join(outDir, 'library.cjs'), "export * from './library.ts';", MODULE_URL),
    ...Object.entries(VENDORS).map(([name, file]) =>
      bundleVendor(join(outDir, 'vendor', `${file}.cjs`), name),
    ),
  ]);
  await writeFile(join(outDir, 'library.js'), facadeOf(join(outDir, 'library.cjs')));
  return bundledLibraries([...ofParts, ...others].flat());
}

/** A module with the exports of a CommonJS file, which Node would not find by itself. */
function facadeOf(path) {
  const names = Object.keys(createRequire(import.meta.url)(path)).sort();
  return `import library from './library.cjs';\nexport const { ${names.join(', ')} } = library;\n`;
}

/** Paths of the commands below their folder. */
function commandPaths() {
  return globSync('**/*.ts', { cwd: join(SRC, 'commands') }).map((file) =>
    file.replaceAll('\\', '/').replace(/\.ts$/, ''),
  );
}

/** A file of our own modules. @param options Of esbuild, and the plugins that come before all others. */
async function bundleOwn(outfile, contents, { plugins = [], ...options }) {
  const { metafile } = await build({
    ...SHAPE,
    ...options,
    stdin: { contents, resolveDir: SRC, loader: 'ts', sourcefile: 'entry.ts' },
    outfile,
    plugins: [...plugins, besideIt, lazyOclif, plainWidths],
  });
  const text = lazyImports(lazyExports(fromOtherParts(await readFile(outfile, 'utf8'))));
  const { code } = await transform(text, { ...SMALL, target: SHAPE.target });
  await writeFile(outfile, asAscii(code));
  return Object.keys(metafile.inputs);
}

/** Imports of what is in `vendor` go there. */
const besideIt = {
  name: 'vendors',
  setup({ onResolve }) {
    onResolve({ filter: /^[@a-z]/ }, ({ path }) =>
      Object.hasOwn(VENDORS, path)
        ? { path: `./vendor/${VENDORS[path]}.cjs`, external: true }
        : undefined,
    );
  },
};

async function bundleVendor(outfile, name) {
  const { metafile } = await build({
    ...SHAPE,
    ...SMALL,
    minifyIdentifiers: true,
    entryPoints: [name],
    absWorkingDir: join(SRC, '..'),
    outfile,
    plugins: [plainWidths],
    // Its default is imported, and of a CommonJS file the default is the whole.
    ...(name === 'ora'
      ? {
          footer: { js: 'module.exports = Object.assign(module.exports.default, module.exports);' },
        }
      : {}),
  });
  await writeFile(outfile, asAscii(await readFile(outfile, 'utf8')));
  return Object.keys(metafile.inputs);
}

/** A text that takes no decoding. An escape means the same in what esbuild leaves: strings and expressions. */
export function asAscii(text) {
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replaceAll(/[\u0080-\uffff]/g, escaped);
}
