import { expect } from 'chai';
import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import { planConfigure } from '../../src/operations/configure-ipam.ts';
import type { SettingChanges } from '../../src/operations/configure/configure-options.ts';
import { planLock } from '../../src/operations/lock-datastore.ts';
import { planUnlock } from '../../src/operations/unlock-datastore.ts';
import type { JsonObject } from '../../src/support/json.ts';
import { contextOf } from '../support/scripted-datastore.ts';
import { aClusterObject, type Group, GROUPS } from '../support/split-world.ts';
import { fakeGround, objectsOf, realGround, type SplitGround } from './split-ground.ts';

const COMMON = { isMismatchAllowed: false };

const SERVERS = [
  { name: 'in-process', start: (_context: Mocha.Context, group: Group) => fakeGround(group) },
  { name: 'real', start: realGround },
];

for (const { name, start } of SERVERS) {
  for (const group of GROUPS) {
    describe(`configure and lock on the ${name} server, ${group.version}`, function () {
      this.timeout(60_000);

      let ground: SplitGround;
      let datastore: WritableDatastore;

      before(async function () {
        ground = await start(this, group);
      });
      beforeEach(async () => {
        await ground.reset([aClusterObject({ datastoreReady: true })]);
        datastore = await ground.open();
      });
      afterEach(() => datastore.close());
      after(() => ground.stop());

      async function configure(changes: SettingChanges | undefined): Promise<string> {
        const mutation = await planConfigure(contextOf(datastore), { changes, ...COMMON });
        const { verdict, document, error } = await mutation.apply();
        return error?.message ?? `${verdict}, ${document.totals.applied} applied`;
      }

      const spec = async (): Promise<JsonObject | undefined> =>
        (await objectsOf(datastore, 'IPAMConfig'))['default']?.['spec'] as JsonObject | undefined;

      it('creates, changes and deletes the configuration', async () => {
        const most = group.flavor === 'v3' ? 1_000_000 : 2 ** 31 - 1;
        expect(await configure({ strictAffinity: true, maxBlocksPerHost: most })).to.equal(
          'ok, 1 applied',
        );
        expect(await configure({ ipCooldownSeconds: 1200 })).to.equal('ok, 1 applied');
        expect(await spec()).to.include({
          strictAffinity: true,
          autoAllocateBlocks: true,
          maxBlocksPerHost: most,
          ipCooldownSeconds: 1200,
        });
        const revision = await revisionOf(datastore);
        expect(await configure({ ipCooldownSeconds: 1200 })).to.equal('ok, 0 applied');
        expect(await revisionOf(datastore)).to.equal(revision);
        expect(await configure(undefined)).to.equal('ok, 1 applied');
        expect(await spec()).to.equal(undefined);
        expect(await configure(undefined)).to.equal('ok, 0 applied');
      });

      it('locks and unlocks to the very object, and makes a missing one', async () => {
        const before = await objectsOf(datastore, 'ClusterInformation');
        const lock = async (): Promise<string> => {
          const options = { by: 'test', reason: 'why', newGuid: '0'.repeat(32), ...COMMON };
          return (await (await planLock(contextOf(datastore), options)).apply()).verdict;
        };
        expect(await lock()).to.equal('ok');
        const locked = await objectsOf(datastore, 'ClusterInformation');
        expect(locked['default']?.['spec']).to.include({ datastoreReady: false });
        expect(await lock()).to.equal('ok');
        expect(await objectsOf(datastore, 'ClusterInformation')).to.deep.equal(locked);
        const options = { isForced: false, ...COMMON };
        const unlock = await planUnlock(contextOf(datastore), options);
        expect((await unlock.apply()).verdict).to.equal('ok');
        expect(await objectsOf(datastore, 'ClusterInformation')).to.deep.equal(before);
        await ground.reset([]);
        expect(await lock()).to.equal('ok');
        const made = await objectsOf(datastore, 'ClusterInformation');
        expect(made['default']?.['spec']).to.deep.equal({
          clusterGUID: '0'.repeat(32),
          clusterType: 'kdd',
          datastoreReady: false,
        });
      });
    });
  }
}

async function revisionOf(datastore: WritableDatastore): Promise<unknown> {
  return (await datastore.get('IPAMConfig', { name: 'default' }))?.revision;
}
