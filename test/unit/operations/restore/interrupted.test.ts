import { expect } from 'chai';
import type { WritableRow } from '../../../../src/datastore/datastore.ts';
import type { Row } from '../../../../src/ipam/model/row.ts';
import type { OperationContext } from '../../../../src/operations/context.ts';
import { readReport } from '../../../../src/check/read-report.ts';
import type { Mutation } from '../../../../src/operations/mutation.ts';
import { planRelease } from '../../../../src/operations/release-addresses.ts';
import { planRepair } from '../../../../src/operations/repair-findings.ts';
import { planRestore } from '../../../../src/operations/restore-recorded.ts';
import { isSameRow } from '../../../../src/operations/undo/same-row.ts';
import { continueUndo } from '../../../../src/operations/undo/continue-undo.ts';
import type { UndoHeader, UndoHistory } from '../../../../src/operations/undo/undo-log.ts';
import { runCheck } from '../../../../src/operations/run-check.ts';
import { stringifyJson } from '../../../../src/support/json.ts';
import {
  aBlock,
  aHandle,
  aNode,
  aPod,
  aPool,
  anAffinity,
  podSlot,
  withRows,
} from '../../../support/builders.ts';
import { aClusterInformation } from '../../../support/settings-builders.ts';
import { RowDatastore } from '../../../support/row-datastore.ts';
import { contextOf } from '../../../support/scripted-datastore.ts';
import { UndoMemory } from '../../../support/undo-memory.ts';
import { CHECK_OPTIONS } from '../../../support/writing-runs.ts';

const WIDE = podSlot('shop/wide', 'node-a');
const OLD = podSlot('shop/old', 'node-a');

/** A cluster with something for every command: leaks over two blocks, an orphan, stray claims. */
const ROWS: readonly Row[] = [
  aClusterInformation(),
  aPool('main', '10.0.0.0/16'),
  aNode('node-a'),
  ...withRows(aBlock('10.0.0.0/28', { 1: WIDE, 2: OLD, 3: podSlot('shop/live', 'node-a') })),
  aBlock('10.0.0.16/28', { 1: WIDE, 2: WIDE }, { affinity: undefined }),
  aHandle(WIDE.handle ?? '', { '10.0.0.0/28': 1, '10.0.0.16/28': 2 }),
  aPod('shop/live', 'node-a', '10.0.0.3'),
  aHandle('lonely', { '10.0.0.0/28': 1 }),
  aBlock('10.0.1.0/28', {}, { affinity: 'host:gone' }),
  anAffinity('gone', '10.0.1.0/28'),
  aBlock('10.0.2.0/28'),
  aHandle('k8s-pod-network.shop-live', { '10.0.0.0/28': 4 }),
];

/** Ends everything after so many steps: lines of the undo file and writes count alike. */
class Killer {
  left: number;

  constructor(left: number) {
    this.left = left;
  }

  step(): void {
    if (--this.left < 0) throw new Error('killed');
  }
}

/** An undo file whose last line is cut by the kill. */
class KilledUndo extends UndoMemory {
  private readonly killer: Killer;

  constructor(killer: Killer, text = '') {
    super(text);
    this.killer = killer;
  }

  override async append(line: object, header: UndoHeader): Promise<void> {
    try {
      this.killer.step();
    } catch (error) {
      if (this.killer.left === -1) this.text += stringifyJson(line).slice(0, 20);
      throw error;
    }
    await super.append(line, header);
  }
}

type Plan = (context: OperationContext, history: UndoHistory | undefined) => Promise<Mutation>;

function clone(datastore: RowDatastore, killer?: Killer): RowDatastore {
  return datastore.copy({
    onRequest: ({ verb }) => {
      if (killer && verb !== 'get' && verb !== 'list') killer.step();
    },
  });
}

function claimsOf(datastore: RowDatastore): readonly WritableRow[] {
  return [
    ...datastore.all('IPAMBlock'),
    ...datastore.all('IPAMHandle'),
    ...datastore.all('BlockAffinity'),
  ] as WritableRow[];
}

function assertSame(a: RowDatastore, b: RowDatastore, what: string): void {
  const [left, right] = [claimsOf(a), claimsOf(b)];
  expect(
    left.map(({ kind, key }) => `${kind} ${key.name}`),
    what,
  ).to.deep.equal(right.map(({ kind, key }) => `${kind} ${key.name}`));
  const changed = left.filter((row, at) => !isSameRow(row, right[at]));
  expect(
    changed.map(({ key }) => key.name),
    what,
  ).to.deep.equal([]);
}

async function runKilled(
  plan: Plan,
  datastore: RowDatastore,
  steps: number,
): Promise<{ datastore: RowDatastore; text: string; isKilled: boolean }> {
  const killer = new Killer(steps);
  const killed = clone(datastore, killer);
  const undo = new KilledUndo(killer);
  const mutation = await plan(contextOf(killed), undefined);
  await mutation.apply(undo).catch(() => undefined);
  return { datastore: clone(killed), text: undo.text, isKilled: killer.left < 0 };
}

/** As the file is gone on with: a cut last line is taken away. */
function wholeLines(text: string): string {
  return text.slice(0, text.lastIndexOf('\n') + 1);
}

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
    const { report } = await runCheck(contextOf(new RowDatastore(ROWS)), {
      ...CHECK_OPTIONS,
      report: true,
    });
    const reports = [readReport(stringifyJson(report), 'report.json')];
    const points = await verify(
      (context, history) =>
        planRelease(context, {
          selector: { by: 'reports', reports },
          minAgeMs: 300_000,
          isForced: false,
          isMismatchAllowed: false,
          history,
        }),
      'ipam release',
    );
    expect(points).to.be.greaterThan(10);
  });

  it('ends repair as if it had not been interrupted, and its undo file restores the first state', async () => {
    const points = await verify(
      (context, history) =>
        planRepair(context, {
          only: [],
          reports: [],
          minAgeMs: 300_000,
          isMismatchAllowed: false,
          history,
        }),
      'ipam repair',
    );
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
    const recorded = undo.read();
    const points = await verify(
      (context, history) =>
        planRestore(context, { recorded, name: 'undo.jsonl', isMismatchAllowed: false, history }),
      'ipam restore',
      first,
    );
    expect(points).to.be.greaterThan(5);
  });
});
