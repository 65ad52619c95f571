import { expect } from 'chai';
import { join } from 'node:path';
import type { Datastore } from '../../src/datastore/datastore.ts';
import { openKubernetesDatastore } from '../../src/datastore/kubernetes/kubernetes-datastore.ts';
import type { ApiServer } from '../support/api-server-process.ts';
import { type EtcdGround, isInEtcd, openPut, putFixture } from '../support/etcd-fixture.ts';
import { type FakeApiServer, startFakeApiServer } from '../support/fake-api-server.ts';
import { FIXTURES, inputOf, readFixtures } from '../support/fixture.ts';
import { openOnFake } from '../support/kubernetes-fake.ts';
import { loadDump, readDump } from '../support/load-objects.ts';
import { inGroup, seedCluster, type CalicoVersion } from '../support/seed-cluster.ts';
import { leaksOf, sensitiveTextsOf } from '../support/sensitive-texts.ts';
import { requireApiServer, requireEtcd } from '../support/shared-servers.ts';
import { answersOf, LEVELS, openText, snapshotText } from '../support/snapshot-answers.ts';
import { parseTime } from '../../src/support/time.ts';

/** One cluster per kind of trouble, none of which rests on the age of a row or on a row that a server refuses. */
const CLUSTERS = [
  'healthy-dual-stack',
  'several-faults-at-once',
  'machines-stopped-migrating-and-gone',
  'load-balancer-pool-with-lost-and-live-addresses',
  'windows-node-beside-a-leak',
  'uses-that-the-pools-do-not-allow',
];

const GROUPS: readonly CalicoVersion[] = ['crd.projectcalico.org/v1', 'projectcalico.org/v3'];

/** A moment at which no row is young. */
const LATER = Date.UTC(2100, 0, 1);

/** Takes all snapshots of a datastore and compares what they answer. */
async function expectSameAnswers(live: Datastore, now: number): Promise<void> {
  const answers = await answersOf(live, now);
  const sensitive = await sensitiveTextsOf(live);
  for (const level of LEVELS) {
    const text = await snapshotText(live, level, now);
    expect(await answersOf(await openText(text), now), level ?? 'plain').to.deep.equal(answers);
    if (level !== undefined) expect(leaksOf(text, sensitive, level), level).to.deep.equal([]);
  }
}

describe('snapshots of a live cluster', () => {
  for (const group of GROUPS) {
    describe(`on a real API server, ${group}`, () => {
      let server: ApiServer;

      before(async function () {
        server = await requireApiServer(this);
      });

      for (const name of CLUSTERS) {
        it(`answer as it does: ${name}`, async function () {
          this.timeout(60_000);
          const dump = await readDump(inputOf(join(FIXTURES, name)) ?? '');
          const objects = dump.objects.map((object) => inGroup(object, group));
          expect(await loadDump(server.admin, { ...dump, objects })).to.deep.equal([]);
          const live = await openKubernetesDatastore({
            kubeconfig: { value: server.kubeconfig(), origin: 'test' },
            env: {},
          });
          try {
            await expectSameAnswers(live, LATER);
          } finally {
            await live.close();
          }
        });
      }
    });
  }

  describe('on an API server in the process', () => {
    let server: FakeApiServer;

    before(async () => {
      server = await startFakeApiServer();
    });

    after(() => server.stop());

    it('answer as it does, also where lists come in pages', async () => {
      const dump = await readDump(inputOf(join(FIXTURES, 'several-faults-at-once')) ?? '');
      await seedCluster(server.client(), dump.objects);
      for (const pageSize of [undefined, 2]) {
        const live = await openOnFake(server, { pageSize });
        await expectSameAnswers(live, LATER);
        await live.close();
      }
    });

    it('read each kind once, pods and nodes as protobuf', async () => {
      const live = await openOnFake(server);
      const before = server.requests.length;
      await snapshotText(live);
      await live.close();
      const lists = server.requests
        .slice(before)
        .filter(({ path }) => /\/(pods|nodes)$/.test(path));
      expect(lists.map(({ path }) => path).sort()).to.deep.equal(['/api/v1/nodes', '/api/v1/pods']);
      for (const { headers } of lists) expect(headers.accept).to.match(/protobuf/);
    });
  });

  describe('on a real etcd beside an API server', () => {
    let ground: EtcdGround | undefined;

    before(async function () {
      const { endpoint } = await requireEtcd(this);
      ground = { endpoint, server: await startFakeApiServer({ groups: [] }) };
    });

    after(async () => {
      await ground?.server.stop();
    });

    for (const fixture of readFixtures().filter(isInEtcd)) {
      it(`answer as it does: ${fixture.name}`, async () => {
        const live = await openPut(await putFixture(fixture, ground!));
        try {
          await expectSameAnswers(live, parseTime(fixture.expect.clock) ?? 0);
        } finally {
          await live.close();
        }
      });
    }
  });
});
