// Which file of the bundle a module of the program goes to. The core has what every start needs, and `ipam show`; `ipam check`,
// the other commands and the backends with servers have a file each, since the size of a file is time.
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export const SRC = fileURLToPath(new URL('../src', import.meta.url));

/**
 * The files by their names. `on` is the file that a file takes modules from, and from those that that one is on; `opened` are
 * modules that are imported when they are used, such as the backends.
 */
const PARTS = {
  cli: { roots: ['cli/main.ts'], commands: ['ipam/show'] },
  check: { on: 'cli', commands: ['ipam/check'] },
  commands: {
    on: 'check',
    opened: [
      'datastore/snapshot/open-definitions.ts',
      'datastore/snapshot/open-migration.ts',
      'datastore/snapshot/write-files.ts',
    ],
  },
  kubernetes: { on: 'cli', opened: ['datastore/kubernetes/kubernetes-datastore.ts'] },
  etcd: { on: 'cli', opened: ['datastore/etcd/etcd-datastore.ts'] },
};
/** The part of the commands that none names. */
const OTHER_COMMANDS = 'commands';

/** Names of parts by what is imported when it is used. */
const OPENED = new Map(
  Object.entries(PARTS).flatMap(([name, { opened = [] }]) => opened.map((path) => [path, name])),
);

const moduleOf = (path) => relative(SRC, path).replaceAll('\\', '/');

/**
 * Texts of the entries, and the plugins that keep the files apart.
 * @param commands Paths of all commands below `src/commands`, without their ending.
 * @returns entries by the name of the file, the core first.
 */
export async function programParts(commands) {
  const named = Object.values(PARTS).flatMap((part) => part.commands ?? []);
  const others = commands.filter((path) => !named.includes(path));
  const parts = Object.entries(PARTS).map(([name, { on, opened = [], roots = [], ...part }]) => {
    const own = part.commands ?? (name === OTHER_COMMANDS ? others : []);
    const files = own.map((path) => `commands/${path}.ts`);
    return {
      name,
      on,
      opened,
      commands: own,
      roots: [...roots, ...opened, ...files],
    };
  });
  const graph = await importGraph(parts.flatMap(({ roots }) => roots));
  const { places, shared } = placeModules(graph, parts);
  return parts.map((part) => ({
    name: part.name,
    text: entryText(part, parts, shared.get(part.name)),
    plugin: apartFromOthers(part.name, places),
  }));
}

/**
 * Puts each module into the nearest part that all parts with a use for it are on, so that it is in one only, and none is loaded
 * for the sake of a part that has no use for it.
 * @param graph What each module imports.
 * @param parts Name, `on`, and `roots` of each; what is `opened` is imported without being a part of what imports it.
 * @returns `places`, the part of each module, and `shared`, by part the modules of it that others use.
 */
export function placeModules(graph, parts) {
  const borders = new Set(parts.flatMap(({ opened = [] }) => opened));
  const users = new Map([...graph.keys()].map((path) => [path, []]));
  for (const { name, roots } of parts)
    for (const path of reachable(graph, roots, borders))
      users.set(path, [...(users.get(path) ?? []), name]);
  const places = new Map();
  const shared = new Map(parts.map(({ name }) => [name, []]));
  for (const [path, names] of users) {
    if (names.length === 0) continue;
    const place = names
      .map((name) => chainOf(name, parts))
      .reduce(commonStart)
      .at(-1);
    places.set(path, place);
    if (names.some((name) => name !== place)) shared.get(place).push(path);
  }
  return { places, shared };
}

/** The core, and so on to a part. */
function chainOf(name, parts) {
  const { on } = parts.find((part) => part.name === name);
  return on === undefined ? [name] : [...chainOf(on, parts), name];
}

function commonStart(one, other) {
  const end = one.findIndex((name, at) => name !== other[at]);
  return end < 0 ? one : one.slice(0, end);
}

/** A getter a command, so that no other one is loaded, and what is opened; of the core also the program, with all commands. */
function entryText(part, parts, shared) {
  const isCore = part.on === undefined;
  const commands = (isCore ? parts : [part]).flatMap(({ name, commands: paths }) =>
    paths.map((path) =>
      name === part.name
        ? getter(idOf(path), `./commands/${path}.ts`, '.default')
        : getter(idOf(path), `./${name}.cjs`, `.COMMANDS['${idOf(path)}']`),
    ),
  );
  return [
    ...(isCore ? ["export { main } from './cli/main.ts';"] : []),
    ...part.opened.map((path) => `export * from './${path}';`),
    ...(commands.length > 0
      ? [`export const COMMANDS = {\n${commands.sort().join('\n')}\n};`]
      : []),
    ...(shared.length > 0 ? [sharedText(shared)] : []),
  ].join('\n');
}

/** A function that gives other parts a module; what it needs is made when it is first called. */
function sharedText(paths) {
  const modules = paths
    .toSorted()
    .map((path) => `'${path}': () => require('${path.startsWith('@') ? path : `./${path}`}'),`);
  return `const loaded = new Map();
let modules;
export function shared(path) {
  if (!loaded.has(path)) loaded.set(path, (modules ??= sharedModules())[path]());
  return loaded.get(path);
}
function sharedModules() {
  return {\n${modules.join('\n')}\n  };
}`;
}

function idOf(path) {
  return path.replaceAll('/', ':');
}

function getter(name, file, rest = '') {
  return `get '${name}'() { return require('${file}')${rest}; },`;
}

/** In a part: what is opened later lies in a file beside it, and a module of another part is that of there. */
function apartFromOthers(part, places) {
  return {
    name: 'apart-from-others',
    setup({ onResolve }) {
      onResolve({ filter: /^\.\/\w+\.cjs$/ }, ({ path }) => ({ path, external: true }));
      onResolve({ filter: /^[.@]/ }, ({ path, resolveDir }) => {
        const name = path.startsWith('.') ? moduleOf(resolve(resolveDir, path)) : path;
        const place = places.get(name) ?? part;
        if (place === part) return undefined;
        const opened = OPENED.get(name);
        return { path: opened ? `./${opened}.cjs` : `./part/${place}/${name}`, external: true };
      });
    },
  };
}

/** The text of a part, in which modules of other parts come from there. */
export function fromOtherParts(text) {
  return text.replaceAll(
    /require\("\.\/part\/(\w+)\/([^"]+)"\)/g,
    (_, part, name) => `require("./${part}.cjs").shared(${JSON.stringify(name)})`,
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
