// npm run build: src to dist, and the command manifest that lets the program start without loading every command.
import { spawnSync } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const pathOf = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const DIST = pathOf('dist');
/** A fresh folder, since in an old one a command that is gone from src would live on. */
const NEXT = pathOf(`dist-${process.pid}`);
const LAST = pathOf(`dist-${process.pid}-last`);

function run(program, ...args) {
  const { status } = spawnSync(program, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status === 0) return;
  rmSync(NEXT, { recursive: true, force: true });
  process.exit(status ?? 1);
}

/** Whoever runs the program meanwhile finds the old one whole or the new one. */
function replaceDist() {
  if (existsSync(DIST)) renameSync(DIST, LAST);
  renameSync(NEXT, DIST);
  rmSync(LAST, { recursive: true, force: true });
}

run('tsc', '-p', 'tsconfig.json', '--outDir', NEXT);
replaceDist();
run('oclif', 'manifest');
