import { expect } from 'chai';
import { planRelease } from '../../../../src/operations/release-addresses.ts';
import { planRestore } from '../../../../src/operations/restore-recorded.ts';
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

async function verify(
  plan: Plan,
  command: string,
  first = new RowDatastore(ROWS),
): Promise<number> {
  const whole = clone(first);
  await (await plan(contextOf(whole), undefined)).apply(new UndoMemory());
  let points = 0;
  for (let steps = 0; ; steps++) {
    const { datastore, text, isKilled } = await runKilled(plan, first, steps);
    if (!isKilled) return points;
    points++;
    const history = continueUndo({ text, name: 'undo.jsonl' }, command);
    const undo = new UndoMemory(wholeLines(text));
    const again = await (await plan(contextOf(datastore), history)).apply(undo);
    expect(again.document.totals.failed, `after ${steps} steps`).to.equal(0);
    assertSame(datastore, whole, `after ${steps} steps and once more`);
    const restored = clone(datastore);
    const recorded = undo.text === '' ? undefined : undo.read();
    if (recorded)
      await (
        await planRestore(contextOf(restored), {
          recorded,
          name: 'undo.jsonl',
          isMismatchAllowed: false,
        })
      ).apply(new UndoMemory());
    assertSame(restored, first, `restored after ${steps} steps`);
  }
}

describe('operations/interrupted runs', () => {
  it('ends release --from-report as if it had not been interrupted, and its undo file restores the first state', async () => {
    const points = await verify(releaseReported, 'ipam release');
    expect(points).to.be.greaterThan(10);
  });

  it('ends repair as if it had not been interrupted, and its undo file restores the first state', async () => {
    const points = await verify(repairAll, 'ipam repair');
    expect(points).to.be.greaterThan(10);
  });

  it('ends restore as if it had not been interrupted', async () => {
    const first = new RowDatastore(ROWS);
    const undo = new UndoMemory();
    await (
      await planRelease(contextOf(first), {
        selector: { by: 'leaked' },
        minAgeMs: 300_000,
        isForced: false,
        isMismatchAllowed: false,
      })
    ).apply(undo);
    const points = await verify(restoring(undo.text), 'ipam restore', first);
    expect(points).to.be.greaterThan(5);
  });
});
