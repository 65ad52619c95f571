/** The program as a single file with Node inside, built when what it is made of is newer. */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './source-files.ts';

const PROGRAM = join(ROOT, 'build', process.platform === 'win32' ? 'ipamctl.exe' : 'ipamctl');
const BUILD = join('scripts', 'build-binary.mjs');

/** What it is made of, from the root. */
const PARTS = [
  'bin/{cache-name,loader,print-version}.js',
  'dist/*.cjs',
  'dist/vendor/*.cjs',
  'node_modules/node/package.json',
  'oclif.manifest.json',
  'package.json',
  'scripts/build-binary.mjs',
  'scripts/single-binary/*',
];

/**
 * Path of the single binary of the present build.
 * @throws Error with what the build says when it fails.
 */
export function singleBinary(): string {
  if (isUpToDate()) return PROGRAM;
  // The coverage that is asked for is that of the tests.
  const env = { ...process.env, NODE_V8_COVERAGE: undefined };
  const run = spawnSync(process.execPath, [BUILD], { cwd: ROOT, env, encoding: 'utf8' });
  if (run.status !== 0 || !isUpToDate()) throw new Error(`no single binary: ${run.stderr}`);
  return PROGRAM;
}

function isUpToDate(): boolean {
  if (!existsSync(PROGRAM)) return false;
  const made = statSync(PROGRAM).mtimeMs;
  return globSync(PARTS, { cwd: ROOT }).every((path) => statSync(join(ROOT, path)).mtimeMs <= made);
}
