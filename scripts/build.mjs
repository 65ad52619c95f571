// npm run build: src to dist, and the command manifest that lets the program start without loading every command.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

function run(program, ...args) {
  const { status } = spawnSync(program, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) process.exit(status ?? 1);
}

// Without this a command that is gone from src would live on.
rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true });
run('tsc', '-p', 'tsconfig.json');
run('oclif', 'manifest');
