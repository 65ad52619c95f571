// npm run build:binary: dist and the pinned Node as one program, build/ipamctl, which needs nothing beside it; and the notices
// that must go with it. It runs after the build.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { inject } from 'postject';
import loader from '../bin/loader.js';
import { asAscii } from './bundle.mjs';
import { ensureNode } from './ensure-node.mjs';
import { nodeLicence } from './single-binary/node-licence.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const PARTS = join(root, 'scripts', 'single-binary');
const OUT = join(root, 'build');
/** Of this run only, so that one beside it does no harm. */
const WORK = join(OUT, `work-${process.pid}`);
const TEXTS = join(WORK, 'texts');
const CODE = join(WORK, 'code');
const EXE = process.platform === 'win32' ? '.exe' : '';
const NODE_HOME = join(root, 'node_modules', 'node');
const NODE = join(NODE_HOME, 'bin', `node${EXE}`);
const ON_MAC = process.platform === 'darwin';

/** By this Node knows that something was put into it. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

const SNAPSHOT = ['--snapshot', join(root, 'examples', 'troubled-cluster.yaml.gz')];
/** No server answers there. */
const KUBECONFIG = {
  clusters: [{ name: 'none', cluster: { server: 'https://127.0.0.1:1' } }],
  users: [{ name: 'none', user: { token: 'none' } }],
  contexts: [{ name: 'none', context: { cluster: 'none', user: 'none' } }],
  'current-context': 'none',
};

/**
 * With which Node runs. Young objects have the room at once that Node gives them bit by bit, cleaning up each time. The code
 * that the program brings along is of use only where Node runs as it did when the code was made.
 */
const NODE_OPTIONS = ['--min-semi-space-size=16'];

/** What is run for the code that the program brings along, by the name of the cache; `any` serves where there is no other. */
const RUNS = {
  any: ['ipam', 'show', '--kubeconfig', join(WORK, 'kubeconfig')],
  help: ['ipam', 'show', '--help'],
  'ipam-show': ['ipam', 'show', ...SNAPSHOT],
  'ipam-check': ['ipam', 'check', ...SNAPSHOT],
  'ipam-release': ['ipam', 'release', '--leaked', '--dry-run', ...SNAPSHOT],
  'ipam-repair': ['ipam', 'repair', '--dry-run', ...SNAPSHOT],
};

function run(program, ...args) {
  // Of the user's settings nothing may go into the program.
  const env = { ...process.env, HOME: WORK, USERPROFILE: WORK };
  for (const name of ['NODE_OPTIONS', 'NODE_V8_COVERAGE', 'KUBECONFIG']) delete env[name];
  const { status, stderr, error } = spawnSync(program, args, { cwd: WORK, env, encoding: 'utf8' });
  if (error !== undefined) throw error;
  return { status, stderr };
}

function runWell(program, ...args) {
  const { status, stderr } = run(program, ...args);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${stderr}`);
}

function writeTexts() {
  const dist = join(root, 'dist');
  if (!existsSync(join(dist, 'cli.cjs'))) throw new Error('not built yet; run npm run build');
  for (const name of globSync('{*,vendor/*}.cjs', { cwd: dist, exclude: ['library.cjs'] })) {
    const path = join(TEXTS, name);
    mkdirSync(dirname(path), { recursive: true });
    const text = readFileSync(join(dist, name), 'latin1');
    writeFileSync(path, `${loader.BEFORE}${text}${loader.AFTER}`);
  }
  for (const name of ['package.json', 'oclif.manifest.json']) {
    const content = JSON.parse(readFileSync(join(root, name), 'utf8'));
    writeFileSync(join(TEXTS, name), asAscii(JSON.stringify(content)));
  }
}

/** Lets the program run, whatever its findings are, and keeps the code that it used. */
function writeCode() {
  writeFileSync(join(WORK, 'kubeconfig'), JSON.stringify(KUBECONFIG));
  for (const [name, args] of Object.entries(RUNS)) {
    const folder = join(CODE, name);
    const { stderr } = run(
      NODE,
      ...NODE_OPTIONS,
      join(PARTS, 'record.cjs'),
      TEXTS,
      folder,
      ...args,
    );
    if (!existsSync(join(folder, 'cli.cjs'))) throw new Error(`${args.join(' ')}: ${stderr}`);
  }
}

/** What is put into Node. @returns the path of the file. */
async function writeBlob() {
  const main = join(WORK, 'entry.cjs');
  await build({
    entryPoints: [join(PARTS, 'entry.cjs')],
    outfile: main,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    minify: true,
    logLevel: 'warning',
  });
  const output = join(WORK, 'blob');
  const config = join(WORK, 'config.json');
  const settings = {
    ...{ main, output, execArgv: NODE_OPTIONS },
    ...{ useCodeCache: true, disableExperimentalSEAWarning: true },
  };
  const assets = { ...assetsIn(TEXTS, ''), ...assetsIn(CODE, 'code/') };
  writeFileSync(config, JSON.stringify({ ...settings, assets }));
  runWell(NODE, '--experimental-sea-config', config);
  return output;
}

function assetsIn(folder, prefix) {
  const names = globSync('**/*.{cjs,json}', { cwd: folder }).sort();
  return Object.fromEntries(
    names.map((name) => [prefix + name.replaceAll('\\', '/'), join(folder, name)]),
  );
}

async function writeProgram(blob) {
  const program = join(WORK, `ipamctl${EXE}`);
  cpSync(NODE, program);
  chmodSync(program, 0o755);
  // A signature of what Node was would make the system refuse it.
  if (ON_MAC) runWell('codesign', '--remove-signature', program);
  await quietly(() =>
    inject(program, 'NODE_SEA_BLOB', readFileSync(blob), {
      sentinelFuse: FUSE,
      ...(ON_MAC ? { machoSegmentName: 'NODE_SEA' } : {}),
    }),
  );
  if (ON_MAC) runWell('codesign', '--sign', '-', program);
  runWell(program, '--version');
  renameSync(program, join(OUT, `ipamctl${EXE}`));
}

/** Without the warnings of what writes the program, on names of parts of Node that are not in use. */
async function quietly(action) {
  const { warn } = console;
  console.warn = (text) => {
    if (!String(text).includes("Can't find string offset for section name")) warn(text);
  };
  try {
    await action();
  } finally {
    console.warn = warn;
  }
}

function writeNotices() {
  for (const name of ['LICENSE', 'THIRD_PARTY_NOTICES.md']) {
    cpSync(join(root, name), join(OUT, name));
  }
  writeFileSync(join(OUT, 'LICENSE-node.txt'), nodeLicence(NODE_HOME, WORK));
}

try {
  mkdirSync(TEXTS, { recursive: true });
  ensureNode();
  writeTexts();
  writeCode();
  writeNotices();
  await writeProgram(await writeBlob());
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(WORK, { recursive: true, force: true });
}
