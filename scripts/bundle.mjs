// What esbuild makes of src: `cli.cjs` with the program, `library.cjs` with the library, and in `vendor` a file for each
// library that few runs need. All of it is CommonJS, which starts faster than modules.
import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import { bundledLibraries, lazyImports, lazyOclif, plainWidths } from './lazy-modules.mjs';

const SRC = fileURLToPath(new URL('../src', import.meta.url));

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

/** Names stay, for the stacks in reports of bugs. */
const SMALL = { minifyWhitespace: true, minifySyntax: true };

/**
 * Writes the bundles into a folder.
 * @returns the packages that they contain, for the notices.
 */
export async function bundle(outDir) {
  const inputs = [
    await bundleCore(join(outDir, 'cli.cjs'), programText()),
    await bundleCore(join(outDir, 'library.cjs'), "export * from './library.ts';"),
    ...(await Promise.all(
      Object.entries(VENDORS).map(([name, file]) =>
        bundleVendor(join(outDir, 'vendor', `${file}.cjs`), name),
      ),
    )),
  ];
  await writeFile(join(outDir, 'library.js'), facadeOf(join(outDir, 'library.cjs')));
  return bundledLibraries(inputs.flat());
}

/** A module with the exports of a CommonJS file, which Node would not find by itself. */
function facadeOf(path) {
  const names = Object.keys(createRequire(import.meta.url)(path)).sort();
  return `import library from './library.cjs';\nexport const { ${names.join(', ')} } = library;\n`;
}

/** The entry of the program: `main`, and a getter a command, so that no other one is loaded. */
function programText() {
  const getters = globSync('**/*.ts', { cwd: join(SRC, 'commands') })
    .map((file) => file.replaceAll('\\', '/').replace(/\.ts$/, ''))
    .map((path) => ({ path, id: path.replaceAll('/', ':') }))
    .sort((one, other) => one.id.localeCompare(other.id))
    .map(({ path, id }) => `get '${id}'() { return require('./commands/${path}.ts').default; },`);
  return `export { main } from './cli/main.ts';\nexport const COMMANDS = {\n${getters.join('\n')}\n};`;
}

async function bundleCore(outfile, contents) {
  const { metafile } = await build({
    ...SHAPE,
    stdin: { contents, resolveDir: SRC, loader: 'ts', sourcefile: 'entry.ts' },
    outfile,
    banner: { js: 'const importMetaUrl = require("node:url").pathToFileURL(__filename).href;' },
    define: { 'import.meta.url': 'importMetaUrl' },
    plugins: [besideIt, lazyOclif, plainWidths],
  });
  const text = lazyImports(await readFile(outfile, 'utf8'));
  const { code } = await transform(text, { ...SMALL, target: SHAPE.target });
  await writeFile(outfile, code);
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
  return Object.keys(metafile.inputs);
}
