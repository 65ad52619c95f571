import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
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

  /** Names of the files in `vendor` that a run loads. */
  const librariesOf = (...args: string[]) => {
    const hook = join(folder, 'hook.cjs');
    writeFileSync(
      hook,
      "process.on('exit', () => console.error(JSON.stringify(Object.keys(require.cache))));",
    );
    const { stderr } = node('--require', hook, join(root, 'bin', 'run.js'), ...args);
    const loaded = JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as string[];
    return loaded.flatMap((path) => /vendor.([\w-]+)\.cjs$/.exec(path)?.[1] ?? []);
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

  it('reads a kubeconfig and reaches for its server', () => {
    writeFileSync(
      join(folder, 'kubeconfig'),
      JSON.stringify({
        clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
        users: [{ name: 'u', user: { token: 't' } }],
        contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
        'current-context': 'c',
      }),
    );
    const run = start('ipam', 'show', '--kubeconfig', 'kubeconfig');
    expect(run).to.include({ status: 8, stdout: '' });
    expect(run.stderr).to.contain('127.0.0.1:1');
  });

  it('loads the library for tables, and for YAML where the dump is YAML', () => {
    expect(librariesOf('ipam', 'show', '--help')).to.deep.equal([]);
    expect(librariesOf('ipam', 'show', '--snapshot', 'dump.json')).to.deep.equal(['cli-table3']);
    expect(librariesOf('ipam', 'show', '--snapshot', 'dump.yaml')).to.deep.equal([
      'js-yaml',
      'cli-table3',
    ]);
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
    const cache = () => join(env.XDG_CACHE_HOME ?? '', 'ipamctl', 'code');
    const show = () => start('ipam', 'show', '--snapshot', 'dump.json');

    it('is kept for each command', () => {
      const first = show();
      start('ipam', 'show', '--help');
      expect(readdirSync(cache()).sort()).to.deep.equal(['help', 'ipam-show']);
      expect(show()).to.deep.equal(first);
    });

    it('is not kept where others may write', () => {
      mkdirSync(join(cache(), 'ipam-show'), { recursive: true });
      chmodSync(join(cache(), 'ipam-show'), 0o777);
      expect(show()).to.include({ status: 0, stderr: '' });
      expect(readdirSync(join(cache(), 'ipam-show'))).to.deep.equal([]);
    });

    it('is missed by nobody where no folder can be made', () => {
      env = { ...env, XDG_CACHE_HOME: join(folder, 'dump.json') };
      expect(show()).to.include({ status: 0, stderr: '' });
    });
  });
});
