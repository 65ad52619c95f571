import { expect } from 'chai';
import type { MemoryDatastore } from '../../../../src/datastore/memory/memory-datastore.ts';
import {
  aBlockObject,
  aClusterObject,
  aPoolObject,
  contentOf,
  CutDatastore,
  type Group,
  GROUPS,
  runSplit,
  splitWorld,
  userMetadata,
} from '../../../support/split-world.ts';

/** Clusters whose pool is enabled, says so, or is disabled. */
const STATES = [
  { state: 'enabled', spec: {} },
  { state: 'enabled in so many words', spec: { disabled: false } },
  { state: 'disabled', spec: { disabled: true } },
];

const MANY = 1000;

for (const group of GROUPS) {
  for (const { state, spec } of STATES) {
    describe(`operations/split interrupted, ${group.version}, pool ${state}`, () => {
      const world = (): MemoryDatastore => worldOf(group, spec);

      it('ends as the uninterrupted run wherever it stopped, and is then already done', async () => {
        const whole = world();
        const full = new CutDatastore(whole, MANY);
        const first = await runSplit(full);
        expect(first.verdict, first.error?.message ?? '').to.equal('ok');
        for (const isAnswerLost of [false, true]) {
          for (let writes = 0; writes <= full.writes; writes++) {
            const cut = world();
            await runSplit(new CutDatastore(cut, writes, { isAnswerLost }));
            const resumed = await runSplit(cut);
            expect(resumed.verdict, `${writes}: ${resumed.error?.message ?? ''}`).to.equal('ok');
            expect(contentOf(cut), `cut after ${writes}`).to.deep.equal(contentOf(whole));
            const again = new CutDatastore(cut, MANY);
            expect((await runSplit(again)).document.totals.applied).to.equal(0);
            expect(again.writes).to.equal(0);
          }
        }
      });

      it('goes back to the very pool from wherever it stopped', async () => {
        const before = contentOf(world());
        const full = new CutDatastore(world(), MANY);
        await runSplit(full);
        for (let writes = 0; writes <= full.writes; writes++) {
          const cut = world();
          await runSplit(new CutDatastore(cut, writes));
          const undone = await runSplit(cut, 8, { isUndo: true });
          expect(undone.verdict, `${writes}: ${undone.error?.message ?? ''}`).to.equal('ok');
          expect(contentOf(cut), `cut after ${writes}`).to.deep.equal(before);
        }
      });

      it('goes back also when going back is interrupted, and forwards again', async () => {
        const before = contentOf(world());
        const whole = world();
        await runSplit(whole);
        for (let writes = 0; writes < 12; writes++) {
          const cut = world();
          await runSplit(cut);
          await runSplit(new CutDatastore(cut, writes), 8, { isUndo: true });
          const other = copyOf(cut, group);
          const undone = await runSplit(cut, 8, { isUndo: true });
          expect(undone.verdict, `${writes}: ${undone.error?.message ?? ''}`).to.equal('ok');
          expect(contentOf(cut), `cut after ${writes}`).to.deep.equal(before);
          const forwards = await runSplit(other);
          expect(forwards.verdict, `${writes}: ${forwards.error?.message ?? ''}`).to.equal('ok');
          expect(contentOf(other), `cut after ${writes}`).to.deep.equal(contentOf(whole));
        }
      });
    });
  }
}

function worldOf(group: Group, spec: Record<string, boolean>): MemoryDatastore {
  return splitWorld(group, [
    aClusterObject(),
    aPoolObject(spec, userMetadata(group)),
    aPoolObject({ cidr: '10.10.0.0/24' }, { name: 'other' }),
    aBlockObject('10.9.1.16/28'),
  ]);
}

function copyOf(world: MemoryDatastore, group: Group): MemoryDatastore {
  const copy = splitWorld(group, []);
  for (const { kind, value } of world.storedObjects()) copy.put(kind, value as never);
  return copy;
}
