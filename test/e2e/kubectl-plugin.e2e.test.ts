import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import type { ApiServer } from '../support/api-server-process.ts';
import { demand } from '../support/api-client.ts';
import { clusterObjects } from '../support/rbac-cluster.ts';
import { runCli } from '../support/run-cli.ts';
import { seedCluster } from '../support/seed-cluster.ts';
import { serverBinaries } from '../support/server-binaries.ts';
import { requireApiServer, requireServers } from '../support/shared-servers.ts';
import { singleBinary } from '../support/single-binary.ts';
import { ROOT } from '../support/source-files.ts';
import { temporaryFolders } from '../support/temp-folder.ts';

const SNAPSHOT = ['--snapshot', join(ROOT, 'examples', 'troubled-cluster.yaml.gz')];
/** One moment for both runs of a comparison. */
const NOW = { IPAMCTL_NOW: '2026-11-29T12:00:00Z' };

type Env = Readonly<Record<string, string>>;

/** Runs a program with a folder before all others in its path, and a home without settings. */
class Shell {
  readonly #env: NodeJS.ProcessEnv;

  constructor(bin: string, home: string) {
    const path = [bin, process.env['PATH']].join(delimiter);
    this.#env = { ...process.env, ...NOW, PATH: path, HOME: home, XDG_STATE_HOME: home };
    delete this.#env['KUBECONFIG'];
  }

  run(program: string, args: readonly string[], env: Env = {}): SpawnSyncReturns<string> {
    return spawnSync(program, args, { encoding: 'utf8', env: { ...this.#env, ...env } });
  }

  kubectl(args: readonly string[], env: Env = {}): SpawnSyncReturns<string> {
    return this.run('kubectl', args, env);
  }

  /** What kubectl would offer for the last word. */
  complete(...words: readonly string[]): readonly string[] {
    return this.kubectl(['__complete', ...words])
      .stdout.trim()
      .split('\n');
  }
}

describe('e2e/kubectl', function () {
  this.timeout(180_000);
  const write = temporaryFolders();
  let shell: Shell;
  let bin: string;

  before(async function () {
    requireServers(this);
    const folder = await write({});
    bin = join(folder, 'bin');
    shell = new Shell(bin, folder);
    // What the package is made of is built; `prepare` would build it again, under the runs of other tests.
    const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder, ROOT];
    const packed = shell.run('npm', pack);
    expect(packed.status, packed.stderr).to.equal(0);
    const archive = join(folder, packed.stdout.trim());
    const install = ['install', '--global', '--offline', '--prefix', folder, archive];
    const installed = shell.run('npm', install);
    expect(installed.status, installed.stderr).to.equal(0);
    symlinkSync(serverBinaries().kubectl, join(bin, 'kubectl'));
  });

  it('lists the plugin of the package, and nothing to complain of', () => {
    const { status, stdout, stderr } = shell.kubectl(['plugin', 'list']);
    expect(status, stderr).to.equal(0);
    expect(stdout.split('\n')).to.include(join(bin, 'kubectl-ipamctl'));
    expect(stderr).to.not.include(bin);
  });

  it('passes on arguments, output and exit status', async () => {
    for (const args of [
      ['ipam', 'show', '--format', 'json', ...SNAPSHOT],
      ['check', '--format', 'json', ...SNAPSHOT],
      ['check', '--only', 'no-such-code'],
    ]) {
      const { status, stdout, stderr } = shell.kubectl(['ipamctl', ...args]);
      const direct = await runCli(args, { env: NOW });
      expect({ status, stdout, stderr }, args.join(' ')).to.deep.equal(direct);
    }
  });

  it('names itself in commands to run as it was called, and says the same otherwise', async () => {
    const check = ['check', ...SNAPSHOT];
    const { status, stdout } = shell.kubectl(['ipamctl', ...check]);
    const direct = await runCli(check, { env: NOW });
    expect(status).to.equal(direct.status);
    expect(stdout).to.include('kubectl ipamctl ipam release --from-report');
    // Lines break elsewhere, since the name is longer.
    const words = (text: string) => text.split(/\s+/).join(' ');
    expect(words(stdout).replaceAll('kubectl ipamctl ipam', 'ipamctl ipam')).to.equal(
      words(direct.stdout),
    );
  });

  it('shows the help of the plugin, and its flags behind its name only', () => {
    const { stdout } = shell.kubectl(['ipamctl', 'check', '--help']);
    expect(stdout).to.include('$ kubectl ipamctl check');
    const before = shell.kubectl(['--context', 'prod', 'ipamctl', 'check']);
    expect(before.status).to.not.equal(0);
    expect(before.stderr).to.match(/flags cannot be placed before plugin name/);
  });

  it('completes the plugin with what the package brings', () => {
    expect(shell.complete('ipamctl', 'ipam', 're')).to.deep.equal([
      'release',
      'repair',
      'restore',
      ':4',
    ]);
    expect(shell.complete('ipamctl', 'check', '--format=j')).to.deep.equal(['json', ':4']);
    expect(shell.complete('ipamctl', 'check', '--snapshot', '')).to.deep.equal([':0']);
  });

  describe('on a cluster', () => {
    let server: ApiServer;

    before(async function () {
      server = await requireApiServer(this);
      for (const name of ['shop', 'ipamctl']) {
        const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
        const path = '/api/v1/namespaces';
        await demand(server.admin, { method: 'POST', path, body, tolerate: [409] });
      }
      const isServed = ({ apiVersion }: { readonly apiVersion?: unknown }) =>
        !String(apiVersion).startsWith('kubevirt.io/');
      const objects = clusterObjects('troubled', 'crd.projectcalico.org/v1').filter(isServed);
      await seedCluster(server.admin, objects);
    });

    const codesIn = (stdout: string): readonly string[] =>
      (JSON.parse(stdout) as { readonly findings: readonly { readonly code: string }[] }).findings
        .map(({ code }) => code)
        .sort();

    it('connects by --kubeconfig, by KUBECONFIG and by --context', () => {
      const check = ['ipamctl', 'check', '--format', 'json'];
      const byFlag = shell.kubectl([...check, '--kubeconfig', server.kubeconfig()]);
      expect(byFlag.status, byFlag.stderr).to.equal(1);
      expect(codesIn(byFlag.stdout)).to.include('leaked-address');

      const byVariable = shell.kubectl(check, { KUBECONFIG: server.kubeconfig() });
      expect(codesIn(byVariable.stdout)).to.deep.equal(codesIn(byFlag.stdout));

      const env = { KUBECONFIG: server.kubeconfig('nobody') };
      expect(shell.kubectl(check, env)).to.deep.include({ status: 7 });
      expect(shell.kubectl([...check, '--context', 'admin'], env).status).to.equal(1);
    });

    it('uses the context that kubectl was told to use', () => {
      const env = { KUBECONFIG: server.kubeconfig('nobody') };
      const use = (context: string) => shell.kubectl(['config', 'use-context', context], env);
      expect(shell.kubectl(['ipamctl', 'show'], env).status).to.equal(7);
      try {
        expect(use('admin').status).to.equal(0);
        expect(shell.kubectl(['ipamctl', 'show'], env).status).to.equal(0);
      } finally {
        use('nobody');
      }
    });

    it('makes the dump of the README, of which a check says what it says of the cluster', async () => {
      const folder = await write({});
      const [, commands = ''] =
        /```sh\n([^`]*kubectl get [^`]*)```/.exec(readText('README.md')) ?? [];
      const dump = shell.run('bash', ['-ec', `cd "${folder}"; ${commands}`], {
        KUBECONFIG: server.kubeconfig(),
      });
      expect(dump.status, dump.stderr).to.equal(0);
      const check = ['ipamctl', 'check', '--format', 'json'];
      const ofDump = shell.kubectl([...check, '--snapshot', join(folder, 'dump')]);
      const ofCluster = shell.kubectl([...check, '--kubeconfig', server.kubeconfig()]);
      expect(codesIn(ofDump.stdout)).to.deep.equal(codesIn(ofCluster.stdout));
    });

    it('takes the manifests of deploy/', () => {
      const files = ['rbac', 'cronjob-check.yaml', 'cronjob-gc.yaml'].flatMap((name) => [
        '--filename',
        join(ROOT, 'deploy', name),
      ]);
      const apply = ['apply', '--server-side', '--dry-run=server', '--validate=strict', ...files];
      const { status, stderr } = shell.kubectl(apply, { KUBECONFIG: server.kubeconfig() });
      expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
    });
  });
});

const readText = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

describe('e2e/archive for krew', function () {
  this.timeout(300_000);
  const write = temporaryFolders();
  let folder: string;

  before(async () => {
    singleBinary();
    folder = await write({});
    const build = join(ROOT, 'scripts', 'build-krew.mjs');
    const url = 'https://releases.example/v1';
    const run = spawnSync(process.execPath, [build, '--out', folder, '--base-url', url], {
      encoding: 'utf8',
    });
    expect(run.status, run.stderr).to.equal(0);
  });

  it('is what its manifest says, and holds all that the manifest installs', () => {
    const { spec } = parse(readFileSync(join(folder, 'ipamctl.yaml'), 'utf8')) as Manifest;
    expect(spec.platforms).to.have.lengthOf(1);
    const [{ uri, sha256, files, bin } = NOTHING] = spec.platforms;
    expect(uri).to.match(/^https:\/\/releases\.example\/v1\/ipamctl-\d/);
    const archive = join(folder, uri.split('/').at(-1) ?? '');
    expect(createHash('sha256').update(readFileSync(archive)).digest('hex')).to.equal(sha256);

    const store = join(folder, 'store');
    mkdirSync(store);
    expect(spawnSync('tar', ['-xzf', archive], { cwd: store }).status).to.equal(0);
    expect(readdirSync(store)).to.have.members(files.map(({ from }) => from));
    expect(statSync(join(store, bin)).mode & 0o111).to.equal(0o111);
  });

  it('runs under the name that krew gives it, alone in its folder', () => {
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    symlinkSync(join(folder, 'store', 'ipamctl'), join(bin, 'kubectl-ipamctl'));
    const run = (...args: readonly string[]) =>
      spawnSync(join(bin, 'kubectl-ipamctl'), args, { encoding: 'utf8', env: { HOME: folder } });
    expect(run('--help').stdout).to.include('$ kubectl ipamctl [COMMAND]');
    expect(run('check', ...SNAPSHOT)).to.include({ status: 1, stderr: '' });
  });
});

interface Manifest {
  readonly spec: {
    readonly platforms: readonly {
      readonly uri: string;
      readonly sha256: string;
      readonly bin: string;
      readonly files: readonly { readonly from: string }[];
    }[];
  };
}

const NOTHING = { uri: '', sha256: '', bin: '', files: [] } as const;
