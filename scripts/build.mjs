// npm run build: src to dist, bundled so that a command starts fast and the package needs no other one; the command manifest,
// without which every command would have to be loaded to find one; and the notices of what is in the bundle.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  globSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';
import { withLibraries } from './notices.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(root, 'dist');
/** A fresh folder, since in an old one a file that is gone from src would live on. */
const NEXT = join(root, `dist-${process.pid}`);
const LAST = join(root, `dist-${process.pid}-last`);
const NOTICES = join(root, 'THIRD_PARTY_NOTICES.md');

function run(program, ...args) {
  const { status } = spawnSync(program, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error(`${program} failed`);
}

/** Declarations of the library, and of what they rest on; programs cannot import anything else. */
function writeTypes() {
  run('tsc', '-p', 'tsconfig.json', '--emitDeclarationOnly', '--outDir', NEXT);
  const needed = new Set();
  const follow = (path) => {
    if (needed.has(path)) return;
    needed.add(path);
    for (const [, target] of readFileSync(path, 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+)'/g))
      follow(resolve(dirname(path), target.replace(/\.[jt]s$/, '.d.ts')));
  };
  follow(join(NEXT, 'library.d.ts'));
  for (const file of globSync('**/*.d.ts', { cwd: NEXT })) {
    if (!needed.has(join(NEXT, file))) rmSync(join(NEXT, file));
  }
  removeEmptyFolders(NEXT);
}

function removeEmptyFolders(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmptyFolders(join(folder, entry.name));
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

function writeNotices(libraries) {
  const before = readFileSync(NOTICES, 'utf8');
  const after = withLibraries(before, libraries);
  if (after !== before) writeFileSync(NOTICES, after);
}

/** Whoever runs the program meanwhile finds the old one whole or the new one. */
function replaceDist() {
  if (existsSync(DIST)) renameSync(DIST, LAST);
  renameSync(NEXT, DIST);
  rmSync(LAST, { recursive: true, force: true });
}

try {
  writeTypes();
  writeNotices(await bundle(NEXT));
  replaceDist();
  run('oclif', 'manifest');
} catch (error) {
  rmSync(NEXT, { recursive: true, force: true });
  console.error(error.message);
  process.exitCode = 1;
}
