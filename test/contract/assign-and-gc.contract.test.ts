import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { encodeRow } from '../../src/datastore/codec/encode.ts';
import type { WritableRow } from '../../src/datastore/datastore.ts';
import { parseJson, type JsonObject } from '../../src/support/json.ts';
import { aBlock, anAffinity, aPool, podSlot, withRows } from '../support/builders.ts';
import type { CrdGroup } from '../support/crds.ts';
import { startFakeApiServer } from '../support/fake-api-server.ts';
import { runCli } from '../support/run-cli.ts';
import { inGroup, seedCluster } from '../support/seed-cluster.ts';
import { aClusterInformation } from '../support/settings-builders.ts';
import { requireApiServer } from '../support/shared-servers.ts';
import { GROUPS } from '../support/split-world.ts';
import { wipe } from '../support/wipe.ts';

/** An item of a plan, or of an outcome. */
interface Item {
  readonly action: string;
  readonly result?: string;
  readonly subject: { readonly name: string };
}

/** Leaks of a live node and of an absent one, and an empty block beside. */
function cluster(): readonly WritableRow[] {
  const rows = [
    aClusterInformation(),
    aPool('main', '10.0.0.0/16', { blockSize: 28 }),
    ...withRows(aBlock('10.0.0.0/28', { 1: podSlot('shop/gone', 'node-a') })),
    ...withRows(aBlock('10.0.1.0/28')),
    ...withRows(
      aBlock('10.0.2.0/28', { 2: podSlot('shop/lost', 'node-x') }, { affinity: 'host:node-x' }),
    ),
    anAffinity('node-x', '10.0.9.0/28'),
  ];
  return rows as readonly WritableRow[];
}

/** A server on which the program is run. */
interface Ground {
  readonly kubeconfig: string;
  /** Makes the cluster anew. */
  reset(objects: readonly JsonObject[]): Promise<void>;
  stop(): Promise<void>;
}

async function fakeGround(groupName: string): Promise<Ground> {
  const server = await startFakeApiServer({ groups: [groupName] });
  return {
    kubeconfig: server.writeKubeconfig(mkdtempSync(join(tmpdir(), 'ipamctl-fake-'))),
    reset: (objects) => {
      server.store.clear();
      for (const object of objects) server.put(object);
      return Promise.resolve();
    },
    stop: () => server.stop(),
  };
}

async function realGround(context: Mocha.Context, groupName: CrdGroup): Promise<Ground> {
  const server = await requireApiServer(context, [groupName]);
  return {
    kubeconfig: server.kubeconfig(),
    reset: async (objects) => {
      await wipe(server.admin);
      await seedCluster(server.admin, objects);
    },
    stop: () => Promise.resolve(),
  };
}

const SERVERS = ['in-process', 'real'] as const;

for (const { name, version } of SERVERS.flatMap((name) =>
  GROUPS.map(({ version }) => ({ name, version })),
)) {
  describe(`assign and gc on the ${name} server, ${version}`, function () {
    this.timeout(180_000);

    let ground: Ground;

    before(async function () {
      const groupName = version.split('/')[0] as CrdGroup;
      ground = await (name === 'real' ? realGround(this, groupName) : fakeGround(groupName));
    });
    beforeEach(() =>
      ground.reset([
        ...cluster().map((row) =>
          inGroup(encodeRow({ ...row, revision: undefined, uid: undefined }, 'crd'), version),
        ),
        { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-a' } },
      ]),
    );
    after(() => ground.stop());

    async function run(...args: readonly string[]) {
      const place = ['--kubeconfig', ground.kubeconfig, '--format', 'json'];
      const end = await runCli([...(args[0] === 'datastore' ? [] : ['ipam']), ...args, ...place]);
      const document = (end.stdout === '' ? {} : parseJson(end.stdout)) as JsonObject;
      const items = (document['items'] ?? []) as unknown as readonly Item[];
      const texts = items.map(
        ({ action, result = 'planned', subject }) => `${result} ${action} ${subject.name}`,
      );
      return { ...end, texts, kept: document['kept'] };
    }

    it('assigns what it has planned, and releases it again', async () => {
      const args = ['assign', '--node', 'node-a', '--count', '2', '--handle', 'mine'];
      const plan = await run(...args, '--dry-run');
      const names = ['10.0.0.0', '10.0.0.2'];
      expect(plan.texts, plan.stderr).to.deep.equal(
        names.map((name) => `planned assign-address ${name}`),
      );
      const done = await run(...args);
      expect(done.texts, done.stderr).to.deep.equal(
        names.map((name) => `applied assign-address ${name}`),
      );
      const again = await run('assign', '--node', 'node-a', '--ip', '10.0.0.2', '--handle', 'mine');
      expect(again.texts).to.deep.equal(['already assign-address 10.0.0.2']);
      const other = await run('assign', '--node', 'node-a', '--ip', '10.0.0.2');
      expect(other.status).to.equal(6);
      const released = await run('release', '--handle', 'mine', '--force', '--yes');
      expect(released.status, released.stderr).to.equal(0);
    });

    it('waits the grace period between two looks of one run, and looks once more', async () => {
      const plan = await run('gc', '--once', '--dry-run');
      expect(plan.texts, plan.stderr).to.deep.equal([
        'planned release-address 10.0.2.2',
        'planned delete-block 10-0-2-0-28',
        'planned delete-affinity node-x-10-0-9-0-28',
      ]);
      expect(plan.kept).to.have.length(1);
      const done = await run('gc', '--once', '--leak-grace', '1s');
      expect(done.status, done.stderr).to.equal(0);
      expect(done.texts).to.deep.equal([
        'applied release-address 10.0.0.1',
        'applied release-address 10.0.2.2',
        'applied delete-block 10-0-1-0-28',
        'applied delete-block 10-0-2-0-28',
        'applied delete-affinity node-x-10-0-9-0-28',
      ]);
      const check = await run('check', '--fail-on', 'info');
      expect(check.status, check.stdout).to.equal(0);
    });

    it('writes nothing to a locked datastore', async () => {
      const lock = await run('datastore', 'migrate', 'lock');
      expect(lock.status, lock.stderr).to.equal(0);
      const { status, stdout, texts } = await run('gc', '--once', '--leak-grace', '1s');
      expect([status, texts]).to.deep.equal([0, []]);
      expect(stdout).to.contain('locked');
    });
  });
}
