import { expect } from 'chai';
import type { RowVersion, WritableDatastore } from '../../src/datastore/datastore.ts';
import { isReadable } from '../../src/ipam/model/row.ts';
import {
  aBlockObject,
  aClusterObject,
  aPoolObject,
  CutDatastore,
  type Group,
  GROUPS,
  runSplit,
  userMetadata,
} from '../support/split-world.ts';
import { fakeGround, objectsOf, realGround, type SplitGround } from './split-ground.ts';

const MANY = 1000;
const FINALIZER = 'projectcalico.org/ippool-finalizer';

const SERVERS = [
  { name: 'in-process', start: (_context: Mocha.Context, group: Group) => fakeGround(group) },
  { name: 'real', start: realGround },
];

for (const { name, start } of SERVERS) {
  for (const group of GROUPS) {
    describe(`split on the ${name} server, ${group.version}`, function () {
      this.timeout(120_000);

      let ground: SplitGround;
      let datastore: WritableDatastore;

      before(async function () {
        ground = await start(this, group);
        await reset();
        datastore = await ground.open();
      });
      after(async () => {
        await datastore.close();
        await ground.stop();
      });

      function reset(): Promise<void> {
        return ground.reset([
          aClusterObject(),
          aPoolObject({}, userMetadata(group)),
          aBlockObject('10.9.1.16/28'),
        ]);
      }

      it('ends the same wherever it was cut, and goes back to the very pool', async () => {
        const before = await objectsOf(datastore, 'IPPool');
        const blocks = await objectsOf(datastore, 'IPAMBlock');
        const full = new CutDatastore(datastore, MANY);
        const { verdict, error } = await runSplit(full);
        expect(verdict, error?.message ?? '').to.equal('ok');
        const whole = await objectsOf(datastore, 'IPPool');
        expect(Object.keys(whole)).to.have.lengthOf(8);
        for (let writes = 0; writes < full.writes; writes++) {
          await reset();
          await runSplit(new CutDatastore(datastore, writes));
          const resumed = await runSplit(datastore);
          expect(resumed.verdict, `${writes}: ${resumed.error?.message ?? ''}`).to.equal('ok');
          expect(await objectsOf(datastore, 'IPPool'), `after ${writes}`).to.deep.equal(whole);
        }
        for (let writes = 0; writes <= full.writes; writes++) {
          await reset();
          await runSplit(new CutDatastore(datastore, writes));
          await runSplit(new CutDatastore(datastore, writes), 8, { isUndo: true });
          const undone = await runSplit(datastore, 8, { isUndo: true });
          expect(undone.verdict, `${writes}: ${undone.error?.message ?? ''}`).to.equal('ok');
          expect(await objectsOf(datastore, 'IPPool'), `after ${writes}`).to.deep.equal(before);
        }
        expect(await objectsOf(datastore, 'IPAMBlock')).to.deep.equal(blocks);
      });

      it("takes Calico's finalizer off again when it comes back", async () => {
        await reset();
        const busy = new BusyController(datastore);
        const { verdict, error } = await runSplit(busy);
        expect(verdict, error?.message ?? '').to.equal('ok');
        expect(busy.times).to.equal(3);
        expect(Object.keys(await objectsOf(datastore, 'IPPool'))).to.not.include('main');
      });

      it('finishes the deletion of a pool that only a finalizer keeps', async () => {
        await reset();
        await runSplit(new CutDatastore(datastore, 9));
        await keepByFinalizer(datastore);
        const { verdict, error } = await runSplit(datastore);
        expect(verdict, error?.message ?? '').to.equal('ok');
        expect(Object.keys(await objectsOf(datastore, 'IPPool'))).to.not.include('main');
        await reset();
        await keepByFinalizer(datastore);
        const refused = await runSplit(datastore, 8, { isUndo: true });
        expect(refused.document.totals.applied).to.equal(0);
      });
    });
  }
}

/** Puts the finalizer on the pool and deletes it: it stays, marked for deletion. */
async function keepByFinalizer(datastore: WritableDatastore): Promise<void> {
  await putFinalizer(datastore);
  const row = await datastore.get('IPPool', { name: 'main' });
  if (row?.revision) await datastore.remove({ ...row, revision: row.revision });
  expect((await datastore.get('IPPool', { name: 'main' }))?.terminating).to.equal(true);
}

async function putFinalizer(datastore: WritableDatastore): Promise<void> {
  const row = await datastore.get('IPPool', { name: 'main' });
  if (row?.kind !== 'IPPool' || !isReadable(row)) return;
  const metadata = { ...(row.object?.['metadata'] as object), finalizers: [FINALIZER] };
  await datastore.update({ ...row, object: { ...row.object, metadata } });
}

/** Puts the finalizer back right before the pool would be deleted, three times. */
class BusyController extends CutDatastore {
  times = 0;
  private readonly watched: WritableDatastore;

  constructor(inner: WritableDatastore) {
    super(inner, MANY);
    this.watched = inner;
  }

  override async remove(row: RowVersion): Promise<void> {
    if (row.key.name === 'main' && this.times < 3) {
      this.times++;
      await putFinalizer(this.watched);
    }
    await super.remove(row);
  }
}
