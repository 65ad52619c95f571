// npm's `prepare`: builds after an install in a checkout. Runs on the machine's own Node.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ensureNode } from './ensure-node.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

function build() {
  ensureNode();
  // A new npm run puts the pinned Node first in the path.
  return spawnSync('npm run build', { cwd: root, shell: true, stdio: 'inherit' }).status ?? 1;
}

if (existsSync(new URL('../node_modules/typescript', import.meta.url))) process.exitCode = build();
else console.log('Not built: the development dependencies are not installed.');
