'use strict';
// Who may import whom. The arrows point one way: commands -> cli, operations -> check -> ipam -> net -> support -> errors,
// and datastore backends -> datastore core. See ARCHITECTURE.md.

const DATASTORE_CORE = '^src/datastore/[^/]+\\.ts$|^src/datastore/codec/';
const BACKENDS = ['kubernetes', 'etcd', 'snapshot', 'memory'];

/** Everything that a folder may reach inside src; whatever else is there is forbidden. */
function only(name, from, reason, allowed, options = {}) {
  return {
    name,
    severity: 'error',
    comment: reason,
    from: { path: from, ...(options.except && { pathNot: options.except }) },
    to: {
      path: '^src/',
      pathNot: allowed,
      ...(options.values && { dependencyTypesNot: ['type-only'] }),
    },
  };
}

/** Packages that a folder may use; none without a pattern. */
function packages(name, from, reason, allowed) {
  const to = {
    dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'],
  };
  return {
    name,
    severity: 'error',
    comment: reason,
    from,
    to: allowed ? { ...to, pathNot: allowed } : to,
  };
}

/** Modules of Node that a folder may use; none without a pattern. */
function builtIns(name, from, reason, allowed) {
  const to = { dependencyTypes: ['core'] };
  return {
    name,
    severity: 'error',
    comment: reason,
    from,
    to: allowed ? { ...to, pathNot: allowed } : to,
  };
}

const layers = [
  only(
    'errors-are-the-bottom',
    '^src/errors/',
    'Everything throws errors, so they know nothing.',
    '^src/errors/',
  ),
  only(
    'support-stays-low',
    '^src/support/',
    'Ports and small tools serve all layers.',
    '^src/(support|errors)/',
  ),
  only(
    'net-knows-addresses-only',
    '^src/net/',
    'Address arithmetic is no business of Calico.',
    '^src/(net|errors|support)/',
  ),
  only(
    'ipam-is-the-core',
    '^src/ipam/',
    'The engine must not see where rows come from.',
    '^src/(ipam|net|errors|support)/',
  ),
  only(
    'check-judges-only',
    '^src/check/',
    'A rule is a function of the state; it neither loads nor prints.',
    '^src/(check|ipam|net|errors|support)/',
  ),
  only(
    'datastore-core-knows-no-backend',
    DATASTORE_CORE,
    'The port and the codecs are shared by all backends, and speak the models only.',
    `${DATASTORE_CORE}|^src/ipam/(model/|handle-id\\.ts$)|^src/(net|errors|support)/`,
    { except: '^src/datastore/open-datastore\\.ts$' },
  ),
  ...BACKENDS.map((backend) =>
    only(
      `datastore-${backend}-stands-alone`,
      `^src/datastore/${backend}/`,
      'A backend that leans on another one cannot change alone.',
      [
        `^src/datastore/${backend}/`,
        DATASTORE_CORE,
        '^src/ipam/(model/|handle-id\\.ts$)',
        '^src/(net|errors|support)/',
        ...(backend === 'snapshot' ? ['^src/datastore/memory/'] : []),
      ].join('|'),
    ),
  ),
  only(
    'engine-uses-the-port',
    '^src/engine/',
    'Assigning and releasing must work on every backend, and must not know which command asked.',
    '^src/(engine|ipam|net|errors|support)/|^src/datastore/datastore\\.ts$',
  ),
  only(
    'library-offers-the-core',
    '^src/library\\.ts$',
    'What other programs import is the engine and the check, not the command line.',
    '^src/(library\\.ts$|operations/|engine/|check/|ipam/|net/|errors/|support/)|^src/datastore/(open-datastore|datastore)\\.ts$',
  ),
  only(
    'operations-use-the-port',
    '^src/operations/',
    'An operation must work on every backend, so it sees the port only.',
    '^src/(operations|engine|check|ipam|net|errors|support)/|^src/datastore/(datastore|definitions|object-store|retry|read-only|migration-file)\\.ts$',
  ),
  only(
    'render-uses-types-only',
    '^src/render/',
    'A view presents a document; it must not compute what the document should have said. It may spell the address of a cell.',
    '^src/(render|support)/|^src/net/(address|cidr)\\.ts$',
    { values: true },
  ),
  only(
    'render-knows-no-source',
    '^src/render/',
    'A view needs no type of cli, commands or a datastore.',
    '^src/(render|operations|check|ipam|net|errors|support)/',
  ),
  only(
    'cli-is-the-rim',
    '^src/cli/',
    'What is shaped by oclif or the terminal opens ports and prints; the work is done by operations.',
    '^src/(cli|render|operations|errors|support)/|^src/datastore/(open-datastore|config|connection|datastore|definitions|read-only)\\.ts$|^src/net/address\\.ts$',
  ),
  only(
    'cli-calls-no-operation',
    '^src/cli/',
    'Commands call operations; cli knows the types of their ports, options and outcomes.',
    '^src/(cli|render|errors|support)/|^src/datastore/(open-datastore|config|connection|definitions|read-only)\\.ts$|^src/net/address\\.ts$',
    { values: true },
  ),
  only(
    'commands-are-thin',
    '^src/commands/',
    'A command parses flags, calls one operation and emits its document.',
    '^src/(cli|operations)/|^src/render/(views/|view\\.ts$|format\\.ts$)',
  ),
  {
    name: 'backends-are-opened-lazily',
    severity: 'error',
    comment:
      'Heavy clients load only when their backend is used; everybody else goes through the port.',
    from: { pathNot: `^src/datastore/(${BACKENDS.join('|')})/` },
    to: {
      path: `^src/datastore/(${BACKENDS.join('|')})/`,
      dependencyTypesNot: ['dynamic-import', 'type-only'],
    },
  },
];

const BACKEND_PACKAGES = {
  kubernetes: '(@kubernetes/client-node|js-yaml)/',
  etcd: '@grpc/',
  snapshot: '(yaml|js-yaml)/',
  memory: undefined,
};
/** Packages that the build takes into dist, see scripts/bundle.mjs. */
const BUNDLED = [
  '@grpc/grpc-js',
  '@kubernetes/client-node',
  '@oclif/core',
  'chalk',
  'cli-table3',
  'js-yaml',
  'ora',
  'prom-client',
  'yaml',
];
/** Folders that have a single file for a package. */
const PACKAGE_PLACES = [
  ['cli-table3', '^src/render/table\\.ts$'],
  ['chalk', '^src/render/theme\\.ts$'],
  ['ora', '^src/cli/progress\\.ts$'],
  ['prom-client', '^src/cli/metrics-server\\.ts$'],
];

const thirdParty = [
  packages(
    'core-needs-no-package',
    { path: '^src/(errors|support|net|ipam|check|engine|operations)/' },
    'What decides over addresses must not depend on the ways of others.',
  ),
  packages(
    'datastore-core-parses-yaml-only',
    { path: DATASTORE_CORE },
    'Configuration and migration files are YAML; clients belong to backends.',
    'node_modules/yaml/',
  ),
  ...BACKENDS.map((backend) =>
    packages(
      `packages-of-${backend}`,
      { path: `^src/datastore/${backend}/` },
      'Each client library is known to one backend.',
      BACKEND_PACKAGES[backend] && `node_modules/${BACKEND_PACKAGES[backend]}`,
    ),
  ),
  packages(
    'packages-of-render',
    { path: '^src/render/' },
    'Views are plain text made of documents.',
    'node_modules/(cli-table3|chalk|yaml)/',
  ),
  packages(
    'packages-of-cli',
    { path: '^src/cli/' },
    'The terminal and oclif, and files of names that users write.',
    'node_modules/(@oclif/core|ora|prom-client|yaml)/',
  ),
  packages(
    'packages-of-commands',
    { path: '^src/commands/' },
    'Flags are declared with oclif.',
    'node_modules/@oclif/core/',
  ),
  ...PACKAGE_PLACES.map(([name, place]) => ({
    name: `one-place-for-${name}`,
    severity: 'error',
    comment: 'A library behind one file can be replaced, and loads only where that file is used.',
    from: { path: '^src/', pathNot: place },
    to: { path: `node_modules/${name}/` },
  })),
];

const FILES = '^(node:)?(fs|fs/promises|path|os|url)$';
const platform = [
  builtIns(
    'core-sees-no-machine',
    {
      path: '^src/(errors|support|net|check|engine|operations)/',
      pathNot: '^src/support/(atomic-write|file-lock|file-problem)\\.ts$',
    },
    'No I/O, clock, environment or randomness below the rim.',
  ),
  builtIns(
    'render-hashes-only',
    { path: '^src/render/' },
    'The policy of a page names the hashes of its style and script.',
    '^(node:)?crypto$',
  ),
  builtIns(
    'ipam-hashes-only',
    { path: '^src/ipam/' },
    'The engine computes; it needs hashes and nothing else.',
    '^(node:)?crypto$',
  ),
  builtIns(
    'commands-see-no-machine',
    { path: '^src/commands/' },
    'What touches the machine is in cli.',
  ),
  builtIns(
    'codecs-hash-only',
    { path: '^src/datastore/codec/' },
    'A codec turns values into rows.',
    '^(node:)?crypto$',
  ),
  builtIns(
    'datastore-core-reads-configuration-only',
    {
      path: '^src/datastore/[^/]+\\.ts$',
      pathNot: '^src/datastore/(authorities|config[-a-z]*|open-datastore|ports)\\.ts$',
    },
    'Names need hashes; files are read by the configuration loader.',
    '^(node:)?crypto$',
  ),
  builtIns(
    'authorities-are-those-of-tls',
    { path: '^src/datastore/authorities\\.ts$' },
    'Whom the process trusts is asked of Node, and changed there.',
    '^(node:)?tls$',
  ),
  builtIns(
    'ports-of-backends-wait',
    { path: '^src/datastore/ports\\.ts$' },
    'The real clock of the backends waits, and reads nothing.',
    '^(node:)?timers/promises$',
  ),
  builtIns(
    'configuration-reads-files',
    { path: '^src/datastore/config[-a-z]*\\.ts$' },
    'Configuration lies in files.',
    FILES,
  ),
];

const hygiene = [
  {
    name: 'no-cycles',
    severity: 'error',
    comment: 'Two files that need each other are one file, or miss a third one.',
    from: {},
    to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
  },
  {
    name: 'nothing-unresolvable',
    severity: 'error',
    comment: 'An import that resolves to nothing is checked by no rule.',
    from: {},
    to: { couldNotResolve: true },
  },
  {
    name: 'nothing-unreachable',
    severity: 'error',
    comment: 'What no command reaches is dead.',
    from: { path: '^src/(commands/|cli/main\\.ts$|library\\.ts$)' },
    to: {
      path: '^src/',
      pathNot: '^src/(commands/|cli/main\\.ts$|library\\.ts$)',
      reachable: false,
    },
  },
  {
    name: 'no-test-code',
    severity: 'error',
    comment: 'The product does not contain its tests.',
    from: { path: '^src/' },
    to: { path: '^(test|bench|scripts)/' },
  },
  {
    name: 'bundled-packages-only',
    severity: 'error',
    comment:
      'An installed package has no other packages; what src uses becomes part of the bundle.',
    from: { path: '^src/' },
    to: {
      dependencyTypes: ['npm', 'npm-dev', 'npm-no-pkg', 'npm-unknown'],
      pathNot: `node_modules/(@types|${BUNDLED.join('|')})/`,
    },
  },
  {
    name: 'no-barrels',
    severity: 'error',
    comment: 'A barrel hides who uses what and loads everything.',
    from: {},
    to: { path: '/index\\.ts$', dependencyTypes: ['local'] },
  },
];

module.exports = {
  forbidden: [...layers, ...thirdParty, ...platform, ...hygiene],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.d.ts'],
    },
  },
};
