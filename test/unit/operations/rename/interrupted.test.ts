import { expect } from 'chai';
import type { MemoryDatastore } from '../../../../src/datastore/memory/memory-datastore.ts';
import type { OutcomeDocument } from '../../../../src/operations/documents/outcome-document.ts';
import type { Outcome } from '../../../../src/operations/outcome.ts';
import { readUndo } from '../../../../src/operations/undo/read-undo.ts';
import {
  aCluster,
  claimsOf,
  copyOf,
  FLAVORS,
  type Flavor,
  nodeRows,
  renameWorld,
  runRename,
  runRestore,
} from '../../../support/rename-world.ts';
import { CutDatastore } from '../../../support/split-world.ts';
import { UndoMemory } from '../../../support/undo-memory.ts';

const MANY = 10_000;

/** Maps that are carried out, and whether that takes a lock. */
const MAPS: readonly {
  readonly what: string;
  readonly pairs: Readonly<Record<string, string>>;
  readonly isLocked: boolean;
}[] = [
  { what: 'one node', pairs: { alder: 'alder.example' }, isLocked: false },
  { what: 'a chain', pairs: { alder: 'birch', birch: 'cedar' }, isLocked: true },
  { what: 'a swap', pairs: { alder: 'birch', birch: 'alder' }, isLocked: true },
];

function worldOf(flavor: Flavor, isLocked: boolean): Promise<MemoryDatastore> {
  const rows = [aCluster(isLocked), ...nodeRows('alder', 1, 'birch'), ...nodeRows('birch', 2)];
  return renameWorld(flavor, rows, ['elm']);
}

function expectOk({ verdict, error }: Outcome<OutcomeDocument>, what: string): void {
  expect(verdict, `${what}: ${error?.message ?? ''}`).to.equal('ok');
}

for (const flavor of FLAVORS) {
  for (const { what, pairs, isLocked } of MAPS) {
    describe(`operations/rename-nodes interrupted, ${flavor}, ${what}`, function () {
      this.timeout(60_000);

      it('ends as the uninterrupted run wherever it stopped, and goes back to the very first state', async () => {
        const first = await worldOf(flavor, isLocked);
        const before = await claimsOf(first);
        const whole = copyOf(first, flavor);
        const full = new CutDatastore(whole, MANY);
        const undo = new UndoMemory();
        const end = await runRename(full, pairs, undo);
        expectOk(end, 'whole');
        const after = await claimsOf(whole);
        expect(after).to.not.deep.equal(before);
        const back = await runRestore(whole, undo.read());
        expectOk(back, 'whole');
        expect(await claimsOf(whole)).to.deep.equal(before);
        for (let writes = 0; writes <= full.writes; writes++) {
          // A lost answer differs from the next cut only in what the run still does: one map shows that.
          for (const isAnswerLost of isLocked ? [writes % 2 === 1] : [false, true]) {
            const cut = copyOf(first, flavor);
            const stopped = new UndoMemory();
            await runRename(new CutDatastore(cut, writes, { isAnswerLost }), pairs, stopped);
            const other = copyOf(cut, flavor);
            const resumed = await runRename(cut, pairs);
            expectOk(resumed, `after ${writes}`);
            expect(await claimsOf(cut), `cut after ${writes}`).to.deep.equal(after);
            if (stopped.text === '') continue;
            const undone = await runRestore(other, readUndo(stopped.text, 'undo.jsonl'));
            expectOk(undone, `after ${writes}`);
            expect(await claimsOf(other), `back after ${writes}`).to.deep.equal(before);
          }
        }
      });

      it('goes back also when going back is interrupted, and twice in a row', async () => {
        const first = await worldOf(flavor, isLocked);
        const before = await claimsOf(first);
        const renamed = copyOf(first, flavor);
        const undo = new UndoMemory();
        await runRename(renamed, pairs, undo);
        const after = await claimsOf(renamed);
        const full = new CutDatastore(copyOf(renamed, flavor), MANY);
        await runRestore(full, undo.read());
        for (let writes = 0; writes <= full.writes; writes++) {
          const cut = copyOf(renamed, flavor);
          await runRestore(new CutDatastore(cut, writes), undo.read());
          const forth = new UndoMemory();
          const again = await runRestore(cut, undo.read(), forth);
          expectOk(again, `after ${writes}`);
          expect(await claimsOf(cut), `cut after ${writes}`).to.deep.equal(before);
          const third = await runRestore(cut, undo.read());
          expect(third.verdict).to.equal('ok');
          expect(third.document.totals.applied, `cut after ${writes}`).to.equal(0);
          if (writes > 0) continue;
          await runRestore(cut, forth.read());
          expect(await claimsOf(cut), 'and forth again').to.deep.equal(after);
        }
      });
    });
  }
}
