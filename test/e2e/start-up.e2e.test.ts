import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { yamlText } from '../../src/support/yaml-text.ts';
import { ROOT } from '../support/source-files.ts';
import { temporaryFolders } from '../support/temp-folder.ts';

/** What npm installs, beside what a package always has. */
const SHIPPED = ['bin', 'dist', 'oclif.manifest.json', 'package.json'];

const BLOCK = {
  apiVersion: 'crd.projectcalico.org/v1',
  kind: 'IPAMBlock',
  metadata: { name: '192-0-2-0-30', resourceVersion: '7' },
  spec: {
    cidr: '192.0.2.0/30',
    affinity: 'host:node-1',
    allocations: [null, null, null, null],
    attributes: [],
    unallocated: [0, 1, 2, 3],
    strictAffinity: false,
    deleted: false,
  },
};
const POOL = {
  apiVersion: 'crd.projectcalico.org/v1',
  kind: 'IPPool',
  metadata: { name: 'main', resourceVersion: '6' },
  spec: { cidr: '192.0.2.0/24', blockSize: 30 },
};
const ETCD = `apiVersion: projectcalico.org/v3
kind: CalicoAPIConfig
spec:
  datastoreType: etcdv3
  etcdEndpoints: http://127.0.0.1:1
`;
const AS_JSON = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [POOL, BLOCK] });
const AS_YAML = [POOL, BLOCK].map((object) => `---\n${yamlText(object, 0)}`).join('');

describe('e2e/start-up', function () {
  this.timeout(60_000);
  const write = temporaryFolders();
  let folder: string;
  let root: string;
  let env: NodeJS.ProcessEnv;

  before(async () => {
    folder = await write({ 'dump.json': AS_JSON, 'dump.yaml': AS_YAML });
    root = join(folder, 'installed');
    mkdirSync(root);
    for (const name of SHIPPED) cpSync(join(ROOT, name), join(root, name), { recursive: true });
  });

  beforeEach(async () => {
    env = { ...process.env, HOME: folder, XDG_CACHE_HOME: await write({}) };
  });

  const node = (...args: string[]) => {
    const options = { cwd: folder, env, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
    return { status, stdout, stderr };
  };
  const start = (...args: string[]) => node(join(root, 'bin', 'run.js'), ...args);

  const cache = (name = '') => join(env.XDG_CACHE_HOME ?? '', 'ipamctl', 'code', name);

  /** Names of the files that a run loads, of which it keeps the code. */
  const filesOf = async (...args: string[]) => {
    env = { ...env, XDG_CACHE_HOME: await write({}) };
    const run = start(...args);
    expect(run.stderr).to.equal('');
    return globSync('*/**/*.cjs', { cwd: cache() })
      .map((path) => path.replace(/^[^/]+./, ''))
      .sort();
  };

  it('needs no other package', () => {
    expect(existsSync(join(root, 'node_modules'))).to.equal(false);
    for (const dump of ['dump.json', 'dump.yaml']) {
      const shown = start('ipam', 'show', '--snapshot', dump, '--show-blocks');
      expect(shown).to.include({ status: 0, stderr: '' });
      expect(shown.stdout).to.contain('192.0.2.0/30');
    }
    const checked = start('ipam', 'check', '--snapshot', 'dump.json', '--format', 'yaml');
    expect(checked.stdout).to.match(/^kind: IPAMCheck/m);
  });

  it('holds every library that a run may load', () => {
    const vendor = join(root, 'dist', 'vendor');
    const files = readdirSync(vendor);
    expect(files).to.include.members(['grpc.cjs', 'kubernetes-config.cjs', 'ora.cjs']);
    const load = files.map((file) => `require(${JSON.stringify(join(vendor, file))});`).join('');
    expect(node('-e', load)).to.deep.equal({ status: 0, stdout: '', stderr: '' });
  });

  it('ends with the status of the error, whichever file the error is from', () => {
    writeFileSync(
      join(folder, 'kubeconfig'),
      JSON.stringify({
        clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
        users: [{ name: 'u', user: { token: 't' } }],
        contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
        'current-context': 'c',
      }),
    );
    writeFileSync(join(folder, 'etcd.yaml'), ETCD);
    const snapshot = ['--snapshot', 'dump.json'];
    for (const [status, text, ...args] of [
      [8, '127.0.0.1:1', 'ipam', 'show', '--kubeconfig', 'kubeconfig'],
      [8, 'no connection to etcd', 'ipam', 'show', '--config', 'etcd.yaml', '--timeout', '2s'],
      [
        8,
        'no connection to etcd',
        'ipam',
        'gc',
        '--once',
        '--config',
        'etcd.yaml',
        '--timeout',
        '2s',
      ],
      [2, '--retention', 'ipam', 'gc', '--once', '--retention', 'soon', ...snapshot],
      [
        4,
        'nothing',
        'ipam',
        'split',
        '2',
        '--name',
        'nothing',
        '--force',
        '--dry-run',
        ...snapshot,
      ],
      [9, 'absent.json', 'datastore', 'snapshot', '--snapshot', 'absent.json', '--output', 'x'],
      [2, 'shwo', 'ipam', 'shwo'],
    ] as const) {
      const run = start(...args);
      expect(run, `${args.join(' ')}: ${run.stderr}`).to.include({ status, stdout: '' });
      expect(run.stderr).to.contain(text);
    }
  });

  it('loads the files that a run needs, and no other', async () => {
    expect(await filesOf('ipam', 'show', '--help')).to.deep.equal(['cli.cjs']);
    const snapshot = ['--snapshot', 'dump.json'];
    const table = ['cli.cjs', 'vendor/cli-table3.cjs'];
    expect(await filesOf('ipam', 'show', ...snapshot)).to.deep.equal(table);
    const yaml = ['cli.cjs', 'vendor/cli-table3.cjs', 'vendor/js-yaml.cjs'];
    expect(await filesOf('ipam', 'show', '--snapshot', 'dump.yaml')).to.deep.equal(yaml);
    const release = ['ipam', 'release', '--leaked', '--dry-run', '--format', 'json', ...snapshot];
    expect(await filesOf(...release)).to.deep.equal(['check.cjs', 'cli.cjs', 'commands.cjs']);
    const check = ['ipam', 'check', '--format', 'json', ...snapshot];
    expect(await filesOf(...check)).to.deep.equal(['check.cjs', 'cli.cjs']);
  });

  it('opens no standard input that it does not read', () => {
    const probe = join(folder, 'probe.cjs');
    const get = "get() { throw new Error('standard input was opened'); }";
    writeFileSync(probe, `Object.defineProperty(process, 'stdin', { ${get} });`);
    const program = join(root, 'bin', 'run.js');
    for (const command of ['show', 'check'])
      expect(
        node('--require', probe, program, 'ipam', command, '--snapshot', 'dump.json'),
      ).to.include({ stderr: '' });
    const asked = node('--require', probe, program, 'ipam', 'show', '--snapshot', '-');
    expect(asked.stderr).to.contain('standard input was opened');
  });

  it('serves programs that import it', () => {
    writeFileSync(
      join(folder, 'program.mjs'),
      `import { openCluster, checkCluster, parseAddress, formatAddress } from './installed/dist/library.js';
const cluster = await openCluster({ snapshot: 'dump.json' });
const document = await checkCluster(cluster);
console.log(document.kind, formatAddress(parseAddress('192.0.2.7')));`,
    );
    const run = node(join(folder, 'program.mjs'));
    expect(run).to.deep.equal({ status: 0, stdout: 'IPAMCheck 192.0.2.7\n', stderr: '' });
  });

  describe('compiled code', () => {
    const show = () => start('ipam', 'show', '--snapshot', 'dump.json');

    it('is kept for each command', () => {
      const first = show();
      start('ipam', 'show', '--help');
      expect(readdirSync(cache()).sort()).to.deep.equal(['help', 'ipam-show']);
      expect(show()).to.deep.equal(first);
    });

    it('is that of the functions that a run calls', () => {
      const sizeOf = (path: string) => statSync(join(cache(), path, 'cli.cjs')).size;
      show();
      start('ipam', 'show', '--help');
      expect(sizeOf('ipam-show')).to.be.greaterThan(1.2 * sizeOf('help'));
    });

    it('is made anew when it was cut, and when the program is another', () => {
      const first = show();
      const kept = join(cache('ipam-show'), 'cli.cjs');
      const whole = readFileSync(kept);
      writeFileSync(kept, whole.subarray(0, whole.length / 2));
      expect(show()).to.deep.equal(first);
      expect(statSync(kept).size).to.be.greaterThan(whole.length / 2);
      const program = join(root, 'dist', 'cli.cjs');
      const text = readFileSync(program, 'latin1');
      try {
        writeFileSync(program, text.replaceAll('GROUPING', 'GROUPED!'));
        expect(show().stdout).to.equal(first.stdout.replace('GROUPING', 'GROUPED!'));
      } finally {
        writeFileSync(program, text, 'latin1');
      }
      expect(show()).to.deep.equal(first);
    });

    it('is not kept of a run that ended early', () => {
      expect(start('ipam', 'show', '--snapshot', 'absent.json')).to.include({ status: 9 });
      expect(readdirSync(cache('ipam-show'))).to.deep.equal([]);
    });

    it('is not kept where others may write', () => {
      mkdirSync(cache('ipam-show'), { recursive: true });
      chmodSync(cache('ipam-show'), 0o777);
      expect(show()).to.include({ status: 0, stderr: '' });
      expect(readdirSync(cache('ipam-show'))).to.deep.equal([]);
    });

    it('is missed by nobody where no folder can be made', () => {
      env = { ...env, XDG_CACHE_HOME: join(folder, 'dump.json') };
      expect(show()).to.include({ status: 0, stderr: '' });
    });
  });
});
