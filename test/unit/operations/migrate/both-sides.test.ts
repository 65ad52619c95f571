import { expect } from 'chai';
import { EtcdDatastore } from '../../../../src/datastore/etcd/etcd-datastore.ts';
import { PreconditionError } from '../../../../src/errors/precondition-error.ts';
import { showMigrationStatus } from '../../../../src/operations/show-migration-status.ts';
import { planUnlock } from '../../../../src/operations/unlock-datastore.ts';
import { MemoryEtcd } from '../../../support/memory-etcd.ts';
import { contextOf } from '../../../support/scripted-datastore.ts';
import { aClusterObject, GROUPS, splitWorld } from '../../../support/split-world.ts';
import { failureOf } from '../../../support/temp-folder.ts';

const GUID = '0123456789abcdef0123456789abcdef';
const CLUSTER = '/calico/resources/v3/projectcalico.org/clusterinformations/default';
const [GROUP] = GROUPS;

describe('operations/unlock, both sides of a migration', () => {
  let etcd: MemoryEtcd;

  beforeEach(() => {
    etcd = new MemoryEtcd();
    const spec = { clusterGUID: GUID, calicoVersion: 'v3.33.0', datastoreReady: false };
    etcd.put(
      CLUSTER,
      JSON.stringify({ kind: 'ClusterInformation', metadata: { name: 'default' }, spec }),
    );
  });

  const here = () => contextOf(new EtcdDatastore(etcd));

  function there(spec: Record<string, string | boolean>) {
    return contextOf(splitWorld(GROUP, [aClusterObject({ clusterGUID: GUID, ...spec })]));
  }

  const plan = (other: ReturnType<typeof there> | undefined, isForced = false) =>
    planUnlock(here(), { isForced, isMismatchAllowed: false, other });

  it('keeps one side locked while the other is not, and names both', async () => {
    const error = await failureOf(plan(there({ datastoreReady: true })));
    expect(error).to.be.instanceOf(PreconditionError).and.include({ status: 6 });
    expect(error.message).to.include(`etcd at ${etcd.displayEndpoints} stays locked`);
    expect(error.message).to.include('the Kubernetes datastore');
    expect(etcd.text(CLUSTER)).to.include('"datastoreReady":false');
  });

  it('unlocks by force, and says so', async () => {
    const mutation = await plan(there({ datastoreReady: true }), true);
    await mutation.apply();
    expect(etcd.text(CLUSTER)).to.include('"datastoreReady":true');
  });

  for (const [what, other] of [
    ['the other side is locked', there({ datastoreReady: false })],
    [
      'the other cluster is another one',
      there({ clusterGUID: 'f'.repeat(32), datastoreReady: true }),
    ],
    ['the cluster holds nothing of Calico', contextOf(splitWorld(GROUP, []))],
    ['there is no other side', undefined],
  ] as const) {
    it(`unlocks when ${what}`, async () => {
      await (await plan(other)).apply();
      expect(etcd.text(CLUSTER)).to.include('"datastoreReady":true');
    });
  }

  it('shows the state of both', async () => {
    const { document } = await showMigrationStatus([here(), there({ datastoreReady: true })]);
    expect(document.sides.map(({ side, locked }) => [side, locked])).to.deep.equal([
      ['etcd', true],
      ['memory', false],
    ]);
  });
});
