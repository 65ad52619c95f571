import { expect } from 'chai';
import { planRestore } from '../../../../src/operations/restore-recorded.ts';
import { continueUndo } from '../../../../src/operations/undo/continue-undo.ts';
import { contextOf } from '../../../support/scripted-datastore.ts';
import {
  aClusterObject,
  aPoolObject,
  contentOf,
  CutDatastore,
  GROUPS,
  runSplit,
  splitWorld,
} from '../../../support/split-world.ts';
import { UndoMemory } from '../../../support/undo-memory.ts';

/** What follows a run of which nothing has lasted, as when a snapshot was not written. */
const THEN = ['nothing', 'the same undo file', 'another undo file'] as const;

for (const group of GROUPS) {
  describe(`operations/split of which nothing lasted, restored, ${group.version}`, () => {
    const world = () => splitWorld(group, [aClusterObject(), aPoolObject()]);

    for (const then of THEN)
      it(`is as before when ${then} followed`, async () => {
        const full = new CutDatastore(world(), Infinity);
        await runSplit(full, 4);
        for (let writes = 1; writes <= full.writes; writes++) {
          const killed = new UndoMemory();
          await runSplit(new CutDatastore(world(), writes), 4, { undo: killed });
          const after = world();
          const files = [killed];
          if (then === 'the same undo file') {
            const history = continueUndo({ text: killed.text, name: 'undo.jsonl' }, 'ipam split');
            await runSplit(after, 4, { undo: killed, history });
          } else if (then === 'another undo file') {
            const other = new UndoMemory();
            await runSplit(after, 4, { undo: other });
            files.unshift(other);
          }
          for (const file of files) {
            const mutation = await planRestore(contextOf(after), {
              recorded: file.read(),
              name: 'undo.jsonl',
              isMismatchAllowed: false,
            });
            const { verdict, error } = await mutation.apply(new UndoMemory());
            expect(verdict, `${writes}: ${error?.message ?? ''}`).to.equal('ok');
          }
          expect(contentOf(after), `killed after ${writes} writes`).to.deep.equal(
            contentOf(world()),
          );
        }
      });
  });
}
