import { expect } from 'chai';
import { continueUndo } from '../../../../src/operations/undo/continue-undo.ts';
import { releaseReported, repairAll, restoring } from '../../../support/killed-plans.ts';
import {
  assertSame,
  clone,
  type Plan,
  ROWS,
  runKilled,
  wholeLines,
} from '../../../support/killed-runs.ts';
import { RowDatastore } from '../../../support/row-datastore.ts';
import { contextOf } from '../../../support/scripted-datastore.ts';
import { UndoMemory } from '../../../support/undo-memory.ts';

/** When a write lasts: as soon as it is answered, or, as in a snapshot, when all are brought into the file at the end. */
const LASTING = ['at once', 'at the end'] as const;

/** What follows a run that was killed. */
const THEN = ['nothing', 'the same undo file', 'another undo file'] as const;

/** The command with the rows on which it runs; restore takes back a release. */
async function commands(): Promise<
  readonly { readonly command: string; readonly plan: Plan; readonly rows: RowDatastore }[]
> {
  const released = new RowDatastore(ROWS);
  const undo = new UndoMemory();
  await (await releaseReported(contextOf(released), undefined)).apply(undo);
  return [
    { command: 'ipam release', plan: releaseReported, rows: new RowDatastore(ROWS) },
    { command: 'ipam repair', plan: repairAll, rows: new RowDatastore(ROWS) },
    { command: 'ipam restore', plan: restoring(undo.text), rows: released },
  ];
}

/** Takes back what a file records; nothing may be refused. */
async function restore(datastore: RowDatastore, text: string, what: string): Promise<void> {
  if (text === '') return;
  const mutation = await restoring(text)(contextOf(datastore), undefined);
  const { verdict, error, document } = await mutation.apply(new UndoMemory());
  const skipped = document.items.filter(({ result }) => result === 'skipped');
  expect({ verdict, error: error?.message, skipped }, what).to.deep.include({
    verdict: 'ok',
    error: undefined,
  });
}

describe('operations/restore of runs that were begun twice', () => {
  for (const lasting of LASTING)
    for (const then of THEN)
      it(`takes all back where writes last ${lasting}, a run was killed, and ${then} followed`, async () => {
        for (const { command, plan, rows } of await commands()) {
          let points = 0;
          for (let steps = 0; ; steps++) {
            const killed = await runKilled(plan, rows, steps);
            if (!killed.isKilled) break;
            points++;
            const datastore = lasting === 'at once' ? killed.datastore : clone(rows);
            const files = [wholeLines(killed.text)];
            if (then !== 'nothing') {
              const isSame = then === 'the same undo file';
              const text = isSame ? (files.pop() ?? '') : '';
              const undo = new UndoMemory(text);
              const history = continueUndo({ text, name: 'undo.jsonl' }, command);
              await (await plan(contextOf(datastore), history)).apply(undo);
              files.push(undo.text);
            }
            const what = `${command}, killed after ${steps} steps`;
            for (const text of files.reverse()) await restore(datastore, text, what);
            assertSame(datastore, rows, what);
          }
          expect(points, command).to.be.greaterThan(5);
        }
      });
});
