import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type JsonObject, type JsonValue, parseJson } from '../../src/support/json.ts';
import { type EtcdGround, putFixture } from '../support/etcd-fixture.ts';
import { EtcdStore } from '../support/etcd-store.ts';
import { startFakeApiServer } from '../support/fake-api-server.ts';
import { readFixtures } from '../support/fixture.ts';
import { type RunResult, runCli } from '../support/run-cli.ts';
import { seedCluster } from '../support/seed-cluster.ts';
import { requireEtcd } from '../support/shared-servers.ts';

const CLUSTER = '/calico/resources/v3/projectcalico.org/clusterinformations/default';
const CONFIG = '/calico/ipam/v2/config';

describe('e2e/etcd', function () {
  this.timeout(60_000);
  let ground: EtcdGround;
  let store: EtcdStore;
  let folder: string;
  let env: Record<string, string>;

  before(async function () {
    const { endpoint } = await requireEtcd(this);
    store = new EtcdStore(endpoint);
    ground = { endpoint, server: await startFakeApiServer() };
  });

  after(async () => {
    await ground.server.stop();
  });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ipamctl-e2e-'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function put(name: string): Promise<void> {
    const fixture = readFixtures().find((one) => one.name === name);
    if (!fixture) throw new Error(`there is no fixture ${name}`);
    env = await putFixture(fixture, ground);
  }

  function run(...args: readonly string[]): Promise<RunResult> {
    const state = { HOME: folder, XDG_STATE_HOME: join(folder, 'state') };
    const moment = { IPAMCTL_NOW: '2026-11-29T12:00:00Z' };
    return runCli(args, { env: { ...state, ...moment, ...env } });
  }

  async function documentOf(...args: readonly string[]): Promise<JsonObject> {
    const { stdout } = await run(...args, '--format', 'json');
    return parseJson(stdout) as JsonObject;
  }

  it('checks a cluster in etcd with the pods of Kubernetes beside it', async () => {
    await put('stale-endpoint-hides-leak');
    const { status, stdout, stderr } = await run('ipam', 'check', '--format', 'json');
    expect(status, stderr).to.equal(1);
    const document = parseJson(stdout) as JsonObject;
    expect(document).to.deep.nested.include({
      'source.datastore': 'etcd',
      'source.server': ground.endpoint,
      'summary.byCode': { 'leaked-address': 1, 'stale-endpoint': 1 },
    });
  });

  it('shows the side of a migration that answers when the other one does not', async () => {
    await put('stale-endpoint-hides-leak');
    for (const { broken, at } of [
      { broken: { KUBECONFIG: join(folder, 'nowhere') }, at: 1 },
      { broken: { ETCD_ENDPOINTS: 'http://127.0.0.1:1' }, at: 0 },
    ]) {
      env = { ...env, ...broken };
      const { status, stdout, stderr } = await run(
        'datastore',
        'migrate',
        'status',
        '--format',
        'json',
      );
      expect(status, stderr).to.equal(3);
      const { sides } = parseJson(stdout) as { sides: JsonObject[] };
      expect(sides.map((side) => 'error' in side)).to.deep.equal([at === 0, at === 1]);
      expect(sides.map(({ side }) => side)).to.deep.equal(['etcd', 'kubernetes']);
      const { code, message } = parseJson(stderr) as JsonObject;
      expect(code).to.equal('PARTLY_APPLIED');
      expect(message).to.include(at === 0 ? 'etcd cannot be read' : 'kubernetes cannot be read');
      await put('stale-endpoint-hides-leak');
    }
  });

  it('evaluates in part what needs a cluster when none is configured', async () => {
    await put('etcd-without-kubernetes');
    const { status, stdout } = await run('ipam', 'check', '--format', 'json');
    expect(status).to.equal(3);
    const { notEvaluated } = parseJson(stdout) as { notEvaluated: { code: string }[] };
    expect(notEvaluated.map(({ code }) => code)).to.include('leaked-address');
  });

  it('shows, releases, restores and is then as before', async () => {
    await put('pending-pod-on-removed-node');
    const shown = await documentOf('ipam', 'show', '--ip', '198.18.0.17');
    expect(shown).to.include({ allocated: true, pool: 'main' });
    const undo = join(folder, 'undo.jsonl');
    const released = await run('ipam', 'release', '--ip', '198.18.0.17', '--undo-file', undo);
    expect(released.status, released.stderr).to.equal(0);
    expect(await documentOf('ipam', 'show', '--ip', '198.18.0.17')).to.include({
      allocated: false,
    });
    const restored = await run('ipam', 'restore', undo, '--yes');
    expect(restored.status, restored.stderr).to.equal(0);
    expect(await documentOf('ipam', 'show', '--ip', '198.18.0.17')).to.include({ allocated: true });
  });

  it('writes the configuration where IPAM reads it, and nowhere else', async () => {
    await put('pending-pod-on-removed-node');
    const before = await store.entries('/calico/resources/');
    const args = ['ipam', 'configure', '--strictaffinity=true', '--max-blocks-per-host=3'];
    const { status, stderr } = await run(...args);
    expect(status, stderr).to.equal(0);
    const text = (await store.entries(CONFIG)).get(CONFIG);
    expect(text).to.equal(
      '{"strict_affinity":true,"auto_allocate_blocks":true,"maxBlocksPerHost":3}',
    );
    expect(await store.entries('/calico/resources/')).to.deep.equal(before);
  });

  it('locks and unlocks, and names both sides of a migration', async () => {
    await put('pending-pod-on-removed-node');
    expect((await run('datastore', 'migrate', 'lock')).status).to.equal(0);
    expect(specOf((await store.entries(CLUSTER)).get(CLUSTER))).to.include({
      datastoreReady: false,
    });
    const { sides } = (await documentOf('datastore', 'migrate', 'status')) as unknown as {
      sides: readonly JsonObject[];
    };
    expect(sides.map(({ side, initialized, locked }) => [side, initialized, locked])).to.deep.equal(
      [
        ['etcd', true, true],
        ['kubernetes', false, false],
      ],
    );
    expect((await run('datastore', 'migrate', 'unlock')).status).to.equal(0);
  });

  it('keeps etcd locked while the cluster holds the same data and is not locked', async () => {
    await put('pending-pod-on-removed-node');
    await run('datastore', 'migrate', 'lock');
    const spec = specOf((await store.entries(CLUSTER)).get(CLUSTER));
    await seedCluster(ground.server.client(), [
      {
        apiVersion: 'crd.projectcalico.org/v1',
        kind: 'ClusterInformation',
        metadata: { name: 'default' },
        spec: { ...(spec as JsonObject), datastoreReady: true },
      },
    ]);
    const refused = await run('datastore', 'migrate', 'unlock');
    expect(refused.status).to.equal(6);
    expect(refused.stderr).to.include(ground.endpoint).and.include(ground.server.url);
    expect((await run('datastore', 'migrate', 'unlock', '--force')).status).to.equal(0);
  });
});

function specOf(text: string | undefined): JsonValue {
  return (parseJson(text ?? '{}') as JsonObject)['spec'] ?? {};
}
