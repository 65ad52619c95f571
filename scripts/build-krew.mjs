// npm run build:krew [-- --base-url URL] [--out FOLDER]: the single binary as the archive that krew installs on this system, and
// the manifest of that archive and of those of other systems that are in the folder. It runs after build:binary.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('..', import.meta.url));
const BUILD = join(root, 'build');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** As Go names them, and so krew. */
const OS = process.platform === 'win32' ? 'windows' : process.platform;
const ARCH = process.arch === 'x64' ? 'amd64' : process.arch;

/** What goes into the archive on this system, by the manifest. */
function platform() {
  const template = parse(readFileSync(join(root, 'deploy', 'krew', 'ipamctl.yaml'), 'utf8'));
  const found = template.spec.platforms.find(
    ({ selector: { matchLabels } }) => matchLabels.os === OS && matchLabels.arch === ARCH,
  );
  if (found === undefined) throw new Error(`the manifest knows no ${OS} on ${ARCH}`);
  return found;
}

/** Refuses a program that is not the one that the manifest will tell of. */
function checkProgram(program) {
  const expected = `ipamctl/${version} ${process.platform}-${process.arch}`;
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  if (!stdout?.startsWith(`${expected} `))
    throw new Error(
      `${program} is ${stdout?.trim() || 'no program'}, not ${expected}; run npm run build:binary`,
    );
}

/** @returns the path of the archive, which is there only when it is whole. */
function writeArchive(folder, { files }) {
  const path = join(folder, `ipamctl-${version}-${OS}-${ARCH}.tar.gz`);
  const scratch = `${path}.${process.pid}`;
  try {
    const archive = run('tar', '-czf', '-', ...files.map(({ from }) => from));
    writeFileSync(scratch, archive);
    renameSync(scratch, path);
  } finally {
    rmSync(scratch, { force: true });
  }
  return path;
}

function writeManifest(folder, baseUrl) {
  const script = join(root, 'scripts', 'fill-krew-manifest.mjs');
  const args = ['--version', version, '--base-url', baseUrl, '--archives', folder];
  const path = join(folder, 'ipamctl.yaml');
  writeFileSync(path, run(process.execPath, script, ...args));
  return path;
}

/** What a program prints, run where the binary is. */
function run(program, ...args) {
  // Of a file's attributes, tar of macOS would make files.
  const env = { ...process.env, COPYFILE_DISABLE: '1' };
  const { status, stdout, error } = spawnSync(program, args, {
    cwd: BUILD,
    env,
    maxBuffer: Infinity,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw error ?? new Error(`${program} ${args.join(' ')} ended with ${status}`);
  return stdout;
}

try {
  const { values } = parseArgs({
    options: { 'base-url': { type: 'string' }, out: { type: 'string' } },
  });
  const folder = resolve(values.out ?? join(BUILD, 'krew'));
  const baseUrl = values['base-url'] ?? pathToFileURL(folder).href;
  const described = platform();
  checkProgram(join(BUILD, described.bin));
  mkdirSync(folder, { recursive: true });
  console.log(writeArchive(folder, described));
  console.log(writeManifest(folder, baseUrl));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
