// Which file of the bundle a module of the program goes to. The core has what every start needs, and `ipam show` and
// `ipam check`; the other commands and the backends with servers have a file each, since the size of a file is time.
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export const SRC = fileURLToPath(new URL('../src', import.meta.url));

const CORE_COMMANDS = new Set(['ipam/check', 'ipam/show']);
/** Backends by the file that is imported when one is opened. */
const BACKENDS = {
  kubernetes: 'datastore/kubernetes/kubernetes-datastore.ts',
  etcd: 'datastore/etcd/etcd-datastore.ts',
};

const moduleOf = (path) => relative(SRC, path).replaceAll('\\', '/');

/**
 * Texts of the entries, and the plugins that keep the files apart.
 * @param commands Paths of all commands below `src/commands`, without their ending.
 * @returns entries by the name of the file, the core first.
 */
export async function programParts(commands) {
  const [core, others] = [true, false].map((isCore) =>
    commands.filter((path) => CORE_COMMANDS.has(path) === isCore),
  );
  const roots = {
    commands: others.map((path) => `commands/${path}.ts`),
    kubernetes: [BACKENDS.kubernetes],
    etcd: [BACKENDS.etcd],
  };
  const shared = await sharedModules(
    ['cli/main.ts', ...core.map((path) => `commands/${path}.ts`)],
    roots,
  );
  return [
    { name: 'cli', text: coreText(core, others, shared), plugin: partsOutside },
    { name: 'commands', text: commandsText(others), plugin: coreOutside(shared) },
    ...Object.entries(BACKENDS).map(([name, path]) => ({
      name,
      text: `export * from './${path}';`,
      plugin: coreOutside(shared),
    })),
  ];
}

/** A getter a command, so that no other one is loaded, and a getter a module that other parts use. */
function coreText(core, others, shared) {
  const ids = [...core, ...others].sort((one, other) => idOf(one).localeCompare(idOf(other)));
  const commands = ids.map((path) =>
    core.includes(path)
      ? getter(idOf(path), `./commands/${path}.ts`, '.default')
      : getter(idOf(path), './commands.cjs', `.COMMANDS['${idOf(path)}']`),
  );
  const modules = [...shared].map((path) =>
    getter(path, path.startsWith('@') ? path : `./${path}`),
  );
  return `export { main } from './cli/main.ts';
export const COMMANDS = {\n${commands.join('\n')}\n};
export const shared = {\n${modules.join('\n')}\n};`;
}

function commandsText(others) {
  const commands = others.map((path) => getter(idOf(path), `./commands/${path}.ts`, '.default'));
  return `export const COMMANDS = {\n${commands.join('\n')}\n};`;
}

function idOf(path) {
  return path.replaceAll('/', ':');
}

function getter(name, file, rest = '') {
  return `get '${name}'() { return require('${file}')${rest}; },`;
}

/** In the core: what is opened later lies in a file beside it. */
const partsOutside = {
  name: 'parts-outside',
  setup({ onResolve }) {
    const files = new Map(
      Object.entries(BACKENDS).map(([name, path]) => [join(SRC, path), `./${name}.cjs`]),
    );
    onResolve({ filter: /^\.\/commands\.cjs$/ }, ({ path }) => ({ path, external: true }));
    onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
      const file = files.get(resolve(resolveDir, path));
      return file === undefined ? undefined : { path: file, external: true };
    });
  },
};

/** In the other parts: a module of the core is that of the core, so that there is one of each class. */
function coreOutside(shared) {
  return {
    name: 'core-outside',
    setup({ onResolve }) {
      onResolve({ filter: /^[.@]/ }, ({ path, resolveDir }) => {
        const name = path.startsWith('.') ? moduleOf(resolve(resolveDir, path)) : path;
        return shared.has(name) ? { path: `./core/${name}`, external: true } : undefined;
      });
    },
  };
}

/** The text of a part, in which modules of the core come from there. */
export function fromCore(text) {
  return text.replaceAll(
    /require\("\.\/core\/([^"]+)"\)/g,
    (_, name) => `require("./cli.cjs").shared[${JSON.stringify(name)}]`,
  );
}

/**
 * Sees to it that each module is in one part only: of a class in two of them, one would not know the objects of the other.
 * @param inputs Paths of the modules in each part, by its name.
 * @throws {Error} naming what is in two parts.
 */
export function assertApart(inputs) {
  const places = new Map();
  for (const [name, paths] of Object.entries(inputs)) {
    for (const path of paths.filter((one) => !one.endsWith('entry.ts')))
      places.set(path, [...(places.get(path) ?? []), name]);
  }
  const twice = [...places].filter(([, names]) => names.length > 1);
  if (twice.length === 0) return;
  const found = twice.map(([path, names]) => `${path} is in ${names.join(' and ')}`);
  throw new Error(`the parts of the program overlap: ${found.join('; ')}`);
}

/** Modules of the core, and those of more than one part, which go there, as far as any part uses them. */
async function sharedModules(coreRoots, partRoots) {
  const graph = await importGraph([...coreRoots, ...Object.values(partRoots).flat()]);
  const opened = new Set(Object.values(BACKENDS));
  const core = reachable(graph, coreRoots, opened);
  const parts = Object.values(partRoots).map((roots) => reachable(graph, roots, opened));
  const common = [...graph.keys()].filter(
    (path) => parts.filter((part) => part.has(path)).length > 1,
  );
  const whole = new Set([...core, ...reachable(graph, common, opened)]);
  return new Set([...whole].filter((path) => parts.some((part) => part.has(path))).sort());
}

function reachable(graph, roots, borders) {
  const found = new Set();
  const open = [...roots];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    open.push(...(graph.get(path) ?? []).filter((next) => !borders.has(next)));
  }
  return found;
}

/** What each module of src imports: other modules of src, and oclif. */
async function importGraph(roots) {
  const { metafile } = await build({
    absWorkingDir: SRC,
    entryPoints: roots,
    bundle: true,
    format: 'esm',
    metafile: true,
    outdir: 'unused',
    packages: 'external',
    platform: 'node',
    write: false,
  });
  return new Map(
    Object.entries(metafile.inputs).map(([path, { imports }]) => [
      path,
      imports
        .filter(({ path: target, external }) => !external || target.startsWith('@oclif/'))
        .map(({ path: target }) => target),
    ]),
  );
}
