// Makes sure that the pinned Node of the devDependency `node` is there, since npm may have skipped its install script.
// Runs on the machine's own Node, which may be older than the one this project needs.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const home = join(root, 'node_modules', 'node');
const program = join(home, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** Version of the pinned Node, or undefined when it does not run. */
function versionOf(node) {
  const answer = spawnSync(node, ['--version'], { encoding: 'utf8' });
  return answer.status === 0 ? answer.stdout.trim() : undefined;
}

/** Links the program where npm puts programs, first in the path of every script. */
function linkProgram() {
  const link = join(root, 'node_modules', '.bin', 'node');
  if (process.platform === 'win32' || existsSync(link)) return;
  mkdirSync(join(root, 'node_modules', '.bin'), { recursive: true });
  symlinkSync(join('..', 'node', 'bin', 'node'), link);
}

/**
 * Installs the pinned Node by its package's own means unless it runs already. Returns its version.
 * @throws Error when it cannot be had.
 */
export function ensureNode() {
  const wanted = `v${JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')).version}`;
  if (versionOf(program) !== wanted) {
    spawnSync(process.execPath, ['installArchSpecificPackage.js'], {
      cwd: home,
      stdio: ['ignore', 2, 2],
    });
    const found = versionOf(program);
    if (found !== wanted)
      throw new Error(
        `the pinned Node ${wanted} is ${found ?? 'not there'}; see node_modules/node`,
      );
  }
  linkProgram();
  return wanted;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    console.log(`Node ${ensureNode()}`);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
