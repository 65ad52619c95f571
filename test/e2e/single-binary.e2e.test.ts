import { spawn, spawnSync } from 'node:child_process';
import { constants, copyFileSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { FIXTURES } from '../support/fixture.ts';
import { textOf } from '../support/run-cli.ts';
import { singleBinary } from '../support/single-binary.ts';
import { ROOT } from '../support/source-files.ts';
import { temporaryFolders } from '../support/temp-folder.ts';

const RUN = join(ROOT, 'bin', 'run.js');
const EXAMPLE = 'troubled-cluster.yaml.gz';
const SNAPSHOT = ['--snapshot', EXAMPLE];
/** Small, and not compressed, so that commands write to it. */
const WRITABLE = ['--snapshot', 'cluster.yaml'];

const KUBECONFIG = JSON.stringify({
  clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
  users: [{ name: 'u', user: { token: 't' } }],
  contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
  'current-context': 'c',
});
const ETCD = `apiVersion: projectcalico.org/v3
kind: CalicoAPIConfig
spec:
  datastoreType: etcdv3
  etcdEndpoints: http://127.0.0.1:1
`;

const NOW = { IPAMCTL_NOW: '2026-11-29T12:00:00Z' };
const CHECK_INPUT = ['ipam', 'check', '--snapshot', '-'];
const TERMINAL = { ...NOW, TERM: 'xterm', NO_COLOR: undefined, CI: undefined };

interface Run {
  readonly status: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

interface Options {
  readonly stdin?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  /** Sends SIGTERM once the program has written something. */
  readonly terminate?: boolean;
}

const manifest = JSON.parse(readFileSync(join(ROOT, 'oclif.manifest.json'), 'utf8')) as {
  readonly commands: Readonly<Record<string, unknown>>;
};

describe('e2e/single-binary', function () {
  this.timeout(180_000);
  const write = temporaryFolders();
  let alone: string;
  let installed: string;

  /** A folder with what the runs read. */
  const scratch = () =>
    write({
      [EXAMPLE]: readFileSync(join(ROOT, 'examples', EXAMPLE)),
      'cluster.yaml': readFileSync(
        join(FIXTURES, 'long-gone-pods-fill-a-block', 'cluster.yaml'),
        'utf8',
      ).replace('datastoreReady: false', 'datastoreReady: true'),
      kubeconfig: KUBECONFIG,
      'etcd.yaml': ETCD,
    });

  before(async () => {
    const program = singleBinary();
    [alone, installed] = [await scratch(), await scratch()];
    copyFileSync(program, join(alone, 'ipamctl'), constants.COPYFILE_FICLONE);
  });

  /** Runs a program in a folder with hardly any environment: no PATH, and a home without settings. */
  async function start(
    cwd: string,
    [program = '', ...args]: readonly string[],
    { stdin, env, terminate }: Options = {},
  ): Promise<Run> {
    const bare = { HOME: cwd, XDG_STATE_HOME: join(cwd, 'state'), PATH: join(cwd, 'no-programs') };
    const child = spawn(program, args, {
      cwd,
      env: { ...bare, ...NOW, ...env },
    });
    if (terminate === true) {
      let isTold = false;
      // Once: a second signal ends it on the spot.
      const tell = () => (isTold ||= child.kill('SIGTERM'));
      child.stdout.once('data', tell);
      child.stderr.once('data', tell);
    }
    const texts = Promise.all([textOf(child.stdout), textOf(child.stderr)]);
    child.stdin.on('error', () => undefined);
    child.stdin.end(stdin);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => resolve(code ?? undefined));
    });
    const [stdout, stderr] = await texts;
    return { status, stdout, stderr };
  }

  const binary = (args: readonly string[], options?: Options) =>
    start(alone, [join(alone, 'ipamctl'), ...args], options);
  const npm = (args: readonly string[], options?: Options) =>
    start(installed, [process.execPath, RUN, ...args], options);

  /** What the binary leaves, after it was seen to be what the program of the package leaves. */
  async function same(args: readonly string[], options?: Options): Promise<Run> {
    const run = await binary(args, options);
    expect(run, args.join(' ')).to.deep.equal(await npm(args, options));
    return run;
  }

  /** A file that both left with the same content. */
  function sameFile(name: string): string {
    const content = readFileSync(join(alone, name), 'utf8');
    expect(content, name).to.equal(readFileSync(join(installed, name), 'utf8'));
    return content;
  }

  it('has nothing beside it, and leaves nothing behind', async () => {
    const before = readdirSync(alone);
    expect(before).to.include('ipamctl').and.not.include('node_modules');
    expect((await binary(['ipam', 'show', ...SNAPSHOT])).status).to.equal(0);
    expect(readdirSync(alone)).to.deep.equal(before);
  });

  it('tells its version', async () => {
    const { stdout, status } = await same(['--version']);
    expect(status).to.equal(0);
    expect(stdout).to.match(/^ipamctl\/\d+\.\d+\.\d+ \S+ node-v24\./);
  });

  it('shows its help, and that of every command', async () => {
    const ids = Object.keys(manifest.commands);
    expect(ids).to.include.members(['ipam:show', 'datastore:migrate:export']);
    for (const words of [[], ...ids.map((id) => id.split(':'))]) {
      const { status, stdout } = await same([...words, '--help']);
      expect(status).to.equal(0);
      expect(stdout).to.contain(['$ ipamctl', ...words].join(' '));
    }
  });

  it('goes by the name of the plugin when it is called so', async () => {
    symlinkSync(join(alone, 'ipamctl'), join(alone, 'kubectl-ipamctl'));
    const { stdout } = await start(alone, [join(alone, 'kubectl-ipamctl'), 'ipam', '--help']);
    expect(stdout).to.contain('$ kubectl ipamctl ipam');
  });

  const COMMANDS: readonly (readonly [status: number, ...args: readonly string[]])[] = [
    [0, 'ipam', 'show', ...SNAPSHOT],
    [0, 'ipam', 'show', '--show-blocks', '--map', ...SNAPSHOT],
    [0, 'ipam', 'show', '--by', 'node', '--format', 'json', ...SNAPSHOT],
    [1, 'ipam', 'check', ...SNAPSHOT],
    [1, 'ipam', 'check', '--format', 'yaml', ...SNAPSHOT],
    [1, 'ipam', 'check', '--format', 'html', ...SNAPSHOT],
    [0, 'ipam', 'release', '--leaked', '--dry-run', ...SNAPSHOT],
    [3, 'ipam', 'repair', '--dry-run', ...SNAPSHOT],
    [0, 'ipam', 'split', '2', '--name', 'pods-v4', '--force', '--dry-run', ...SNAPSHOT],
    [0, 'ipam', 'configure', '--strictaffinity', 'true', '--dry-run', ...SNAPSHOT],
    [0, 'ipam', 'assign', '--node', 'worker-01', '--handle', 'h', '--dry-run', ...SNAPSHOT],
    [0, 'ipam', 'gc', '--once', '--dry-run', ...SNAPSHOT],
    [0, 'datastore', 'snapshot', '--output', 'saved.json', ...SNAPSHOT],
    [10, 'datastore', 'migrate', 'export', '--output', 'saved.calico', ...SNAPSHOT],
    [4, 'datastore', 'migrate', 'rename-node', 'nobody', 'none', '--dry-run', ...SNAPSHOT],
    [0, 'datastore', 'migrate', 'status', ...SNAPSHOT],
    [0, 'datastore', 'migrate', 'lock', '--dry-run', ...SNAPSHOT],
    [0, 'completion', 'bash'],
    [2, 'ipam', 'shwo'],
  ];

  it('runs commands on the example snapshot', async () => {
    for (const [status, ...args] of COMMANDS) {
      const run = await same(args);
      expect(run.status, `${args.join(' ')}: ${run.stderr}`).to.equal(status);
    }
    expect(sameFile('saved.json')).to.contain('"kind":"IPAMBlock"');
  });

  it('writes, leaves metrics, and takes back what it wrote', async () => {
    const before = readFileSync(join(alone, 'cluster.yaml'), 'utf8');
    const places = ['--state-file', 'gc.json', '--metrics-file', 'metrics.prom'];
    const gc = ['ipam', 'gc', '--once', '--undo-file', 'undo.jsonl', ...places, ...WRITABLE];
    expect((await same(gc)).status).to.equal(0);
    const later = { env: { IPAMCTL_NOW: '2026-11-29T12:16:00Z' } };
    expect((await same(gc, later)).status).to.equal(0);
    expect(sameFile('metrics.prom')).to.contain('# TYPE ipam_allocations_in_use gauge');
    expect(sameFile('cluster.yaml')).not.to.equal(before);
    const restore = 'ipam restore undo.jsonl --yes --undo-file redo.jsonl'.split(' ');
    expect((await same([...restore, ...WRITABLE], later)).stdout).to.contain('14 applied');
    sameFile('cluster.yaml');
  });

  it('reads standard input', async () => {
    const stdin = readFileSync(join(installed, EXAMPLE));
    const { stdout } = await same(['ipam', 'show', '--snapshot', '-'], { stdin });
    expect(stdout).to.contain('pods-v4');
  });

  it('ends on a signal as the other does', async () => {
    const args = ['ipam', 'gc', '--interval', '5m', '--metrics-listen', '127.0.0.1:0', ...WRITABLE];
    const ends = [await binary(args, { terminate: true }), await npm(args, { terminate: true })];
    const [one, other] = ends.map(({ status }) => status);
    expect(one).to.equal(other).and.not.equal(undefined);
  });

  it('colours its output on a terminal, and turns a spinner', function () {
    if (spawnSync('script', ['--version']).status !== 0) {
      if (process.env['CI']) throw new Error('there is no `script` to make a terminal');
      console.warn('    There is no `script` here to make a terminal.');
      this.skip();
    }
    const onTerminal = (cwd: string, ...words: readonly string[]) => {
      const quoted = [...words, ...CHECK_INPUT].map((word) => `'${word}'`).join(' ');
      // Input that comes late, so that there is time to turn.
      const late = `stty cols 100; (sleep 1; gunzip -c ${SNAPSHOT.at(-1)}) | ${quoted}`;
      const { stdout } = spawnSync('script', ['-qec', late, '/dev/null'], {
        cwd,
        encoding: 'utf8',
        env: { ...process.env, ...TERMINAL, HOME: cwd },
      });
      // How often the spinner turns depends on the moment.
      const [, spinner = '', result] = /^(.*?)(\S*\d+ problems.*)$/s.exec(stdout) ?? [];
      expect(spinner).to.match(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/);
      return result;
    };
    const shown = onTerminal(alone, join(alone, 'ipamctl'));
    expect(shown).to.contain('\u001b[31m');
    expect(shown).to.equal(onTerminal(installed, process.execPath, RUN));
  });

  it('reaches for a cluster and for etcd', async () => {
    const cluster = await same(['ipam', 'show', '--kubeconfig', 'kubeconfig']);
    expect(cluster).to.include({ status: 8, stdout: '' });
    expect(cluster.stderr).to.contain('127.0.0.1:1');
    const etcd = await same(['ipam', 'show', '--config', 'etcd.yaml', '--timeout', '2s']);
    expect(etcd).to.include({ status: 8, stdout: '' });
    expect(etcd.stderr).to.contain('no connection to etcd');
  });

  it('takes settings of Node, which the code that it brings was not made with', async () => {
    const env = { NODE_OPTIONS: '--max-old-space-size=300' };
    expect((await same(['ipam', 'show', ...SNAPSHOT], { env })).status).to.equal(0);
  });
});
