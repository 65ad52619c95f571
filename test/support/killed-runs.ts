/** Runs that are killed at a step, on a cluster with something for every command that writes. */
import { expect } from 'chai';
import type { WritableRow } from '../../src/datastore/datastore.ts';
import type { Row } from '../../src/ipam/model/row.ts';
import type { OperationContext } from '../../src/operations/context.ts';
import type { Mutation } from '../../src/operations/mutation.ts';
import { isSameRow } from '../../src/operations/undo/same-row.ts';
import type { UndoHeader, UndoHistory } from '../../src/operations/undo/undo-log.ts';
import { stringifyJson } from '../../src/support/json.ts';
import { aBlock, aHandle, aNode, aPod, aPool, anAffinity, podSlot, withRows } from './builders.ts';
import { type RowDatastore } from './row-datastore.ts';
import { contextOf } from './scripted-datastore.ts';
import { aClusterInformation } from './settings-builders.ts';
import { UndoMemory } from './undo-memory.ts';

const WIDE = podSlot('shop/wide', 'node-a');
const OLD = podSlot('shop/old', 'node-a');

/** A cluster with something for every command: leaks over two blocks, an orphan, stray claims. */
export const ROWS: readonly Row[] = [
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

/** Plans a command; with the history of the undo file that it goes on with. */
export type Plan = (
  context: OperationContext,
  history: UndoHistory | undefined,
) => Promise<Mutation>;

/** The same rows once more; requests that write count as steps. */
export function clone(datastore: RowDatastore, killer?: Killer): RowDatastore {
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

/** Asserts that blocks, handles and affinities say the same. */
export function assertSame(a: RowDatastore, b: RowDatastore, what: string): void {
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

/** Runs a command that is killed after so many steps. */
export async function runKilled(
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
export function wholeLines(text: string): string {
  return text.slice(0, text.lastIndexOf('\n') + 1);
}
