/** Where the real etcd, kube-apiserver and kubectl are kept, and how they are built. */
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Oldest Go that builds the servers; the `go` line of test/servers/go.mod. */
export const REQUIRED_GO = { major: 1, minor: 26 } as const;

const MODULE_FOLDER = join(import.meta.dirname, '..', 'servers');
/** Without them the server calls itself by a placeholder that clients cannot parse. */
const VERSION_PACKAGE = 'k8s.io/component-base/version';

/** The programs, which may not exist yet. */
export interface ServerBinaries {
  readonly folder: string;
  readonly etcd: string;
  readonly apiServer: string;
  /** Of the same version, for tests of the plugin. */
  readonly kubectl: string;
}

/**
 * Paths of the programs in the user's cache folder. The folder's name is a hash of the module's pins, so that every
 * checkout shares one build and another pin makes another build.
 */
export function serverBinaries(): ServerBinaries {
  const hash = createHash('sha256');
  for (const name of ['go.mod', 'go.sum']) hash.update(readFileSync(join(MODULE_FOLDER, name)));
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const folder = join(cache, 'ipamctl', 'servers', hash.digest('hex').slice(0, 16));
  return {
    folder,
    etcd: join(folder, 'etcd'),
    apiServer: join(folder, 'kube-apiserver'),
    kubectl: join(folder, 'kubectl'),
  };
}

/** Whether all programs are there. */
export function serversAreBuilt(binaries: ServerBinaries = serverBinaries()): boolean {
  return [binaries.etcd, binaries.apiServer, binaries.kubectl].every((path) => existsSync(path));
}

/** Why the servers cannot be built here, in one line; undefined when they can. */
export function buildObstacle(): string | undefined {
  const need = `Go ${REQUIRED_GO.major}.${REQUIRED_GO.minor} or newer is needed to build the test servers`;
  const answer = run('go', ['env', 'GOVERSION'], { stdio: 'pipe' });
  if (answer.status !== 0) return `${need}; no go was found`;
  const found = answer.stdout.trim();
  const [, major, minor] = /^go(\d+)\.(\d+)/.exec(found) ?? [];
  if (Number(major) > REQUIRED_GO.major) return undefined;
  if (Number(major) === REQUIRED_GO.major && Number(minor) >= REQUIRED_GO.minor) return undefined;
  return `${need}; this one is ${found}`;
}

/**
 * Builds the programs unless they are there: into a temporary folder first, so that two runs at once never see half a
 * program. Takes minutes with an empty build cache; Go's own messages go to stderr.
 * @throws Error when Go is missing or too old, or when the build fails.
 */
export function buildServers(): ServerBinaries {
  const binaries = serverBinaries();
  if (serversAreBuilt(binaries)) return binaries;
  const obstacle = buildObstacle();
  if (obstacle !== undefined) throw new Error(obstacle);
  const parent = join(binaries.folder, '..');
  mkdirSync(parent, { recursive: true });
  const scratch = mkdtempSync(join(parent, 'building-'));
  try {
    compile(scratch);
    renameSync(join(scratch, 'server'), join(scratch, 'etcd'));
    adopt(scratch, binaries);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return binaries;
}

/** Compiles the `tool` block of the module into a folder. */
function compile(into: string): void {
  const args = [
    'build',
    '-trimpath',
    '-buildvcs=false',
    '-ldflags',
    linkerFlags(),
    '-o',
    `${into}/`,
    'tool',
  ];
  const built = run('go', args, { cwd: MODULE_FOLDER, stdio: 'inherit' });
  if (built.status !== 0) throw new Error(`go build ended with ${built.status ?? built.signal}`);
}

/** Strips the programs and tells the API server and kubectl their version, taken from the pin. */
function linkerFlags(): string {
  const pins = readFileSync(join(MODULE_FOLDER, 'go.mod'), 'utf8');
  const [, version, major, minor] = /k8s\.io\/kubernetes (v(\d+)\.(\d+)\S*)/.exec(pins) ?? [];
  if (version === undefined) throw new Error('test/servers/go.mod pins no k8s.io/kubernetes');
  const values = { gitVersion: version, gitMajor: major, gitMinor: minor };
  const settings = Object.entries(values).map(
    ([name, value]) => `-X ${VERSION_PACKAGE}.${name}=${value}`,
  );
  return ['-s', '-w', ...settings].join(' ');
}

/** Moves a finished build to its place; when another run was faster, that one's stays. */
function adopt(scratch: string, binaries: ServerBinaries): void {
  try {
    renameSync(scratch, binaries.folder);
  } catch (error) {
    if (!serversAreBuilt(binaries)) throw error;
  }
}

/** Runs a program without the settings of the caller's own Go work, which could redirect the module. */
function run(
  program: string,
  args: readonly string[],
  options: { cwd?: string; stdio: 'pipe' | 'inherit' },
): SpawnSyncReturns<string> {
  const env = { ...process.env, GOFLAGS: '-mod=readonly', GOWORK: 'off' };
  const stdio = options.stdio === 'inherit' ? (['ignore', 2, 2] as const) : 'pipe';
  return spawnSync(program, args, {
    env,
    encoding: 'utf8',
    cwd: options.cwd,
    stdio: stdio === 'pipe' ? 'pipe' : [...stdio],
  });
}
