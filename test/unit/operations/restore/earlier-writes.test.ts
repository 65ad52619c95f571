import { expect } from 'chai';
import type { WritableRow } from '../../../../src/datastore/datastore.ts';
import { RestorePlanner } from '../../../../src/operations/restore/restore-plan.ts';
import type { RecordedWrite } from '../../../../src/operations/undo/undo-log.ts';
import { aBlock, aHandle, coolingSlot, podSlot } from '../../../support/builders.ts';

const CIDR = '10.0.0.0/28';
const POD = podSlot('shop/cart', 'node-a');
const OTHER = podSlot('shop/other', 'node-b');
const COOLING = coolingSlot();

const counted = (count: number): WritableRow => aHandle('web', { [CIDR]: count });
const held = aBlock(CIDR, { 1: POD });
const cooling = aBlock(CIDR, { 1: COOLING });
const free = aBlock(CIDR);
const taken = aBlock(CIDR, { 1: OTHER });

/** The writes that lead from each row to the next; `undefined` stands for a row that is not there. */
function writesOf(
  ...pairs: readonly (readonly [WritableRow | undefined, WritableRow | undefined])[]
): readonly RecordedWrite[] {
  return pairs.map(([before, after], at) => ({
    n: at + 1,
    action: 'set-handle-count',
    subject: { kind: 'IPAMHandle', name: 'web' },
    before,
    after,
    result: 'applied',
  }));
}

/** What is said of each write, the last first: undefined where it is taken back. */
function keptOf(
  writes: readonly RecordedWrite[],
  current: WritableRow | undefined,
): readonly (string | undefined)[] {
  const planner = new RestorePlanner(
    writes,
    () => current,
    () => true,
  );
  return planner.steps.flatMap(({ addresses, item }) => [
    ...addresses.map(({ item }) => item.kept),
    ...(item ? [item.kept] : []),
  ]);
}

describe('operations/restore: rows as they were before an earlier write', () => {
  it('are so already where none of the writes has lasted', () => {
    const lowered = writesOf([counted(3), counted(2)], [counted(2), counted(1)]);
    expect(keptOf(lowered, counted(3))).to.deep.equal(['already', 'already']);
    const made = writesOf([undefined, counted(1)], [counted(1), counted(2)]);
    expect(keptOf(made, undefined)).to.deep.equal(['already', 'already']);
    const gone = writesOf([counted(2), counted(1)], [counted(1), undefined]);
    expect(keptOf(gone, counted(2))).to.deep.equal(['already', 'already']);
  });

  it('are so already where only the first of the writes has lasted, which is taken back', () => {
    const writes = writesOf(
      [counted(4), counted(3)],
      [counted(3), counted(2)],
      [counted(2), counted(1)],
    );
    expect(keptOf(writes, counted(3))).to.deep.equal(['already', 'already', undefined]);
  });

  it('are taken back once where a run that did not last was begun again', () => {
    const writes = writesOf(
      [counted(3), counted(2)],
      [counted(2), counted(1)],
      [counted(3), counted(2)],
      [counted(2), counted(1)],
    );
    // Which of two equal writes is taken back makes no difference to the row.
    expect(keptOf(writes, counted(1))).to.deep.equal([undefined, 'already', 'already', undefined]);
  });

  it('are left where somebody else has changed them, before, between or after the writes', () => {
    const writes = writesOf([counted(3), counted(2)], [counted(2), counted(1)]);
    expect(keptOf(writes, counted(7))).to.deep.equal(['refusal', 'refusal']);
    expect(keptOf(writes, undefined)).to.deep.equal(['refusal', 'refusal']);
    const changed = writesOf([counted(3), counted(2)], [counted(9), counted(8)]);
    expect(keptOf(changed, counted(8))).to.deep.equal([undefined, 'refusal']);
    expect(keptOf(changed, counted(3))).to.deep.equal(['refusal', 'already']);
  });

  it('hold for addresses too', () => {
    const writes = writesOf([held, cooling], [cooling, free]);
    expect(keptOf(writes, held)).to.deep.equal(['already', 'already']);
    expect(keptOf(writes, cooling)).to.deep.equal(['already', undefined]);
    expect(keptOf(writes, taken)).to.deep.equal(['refusal', 'refusal']);
  });

  it('are not told from what stood in a slot before somebody else was given it', () => {
    const aside = aBlock(CIDR, { 1: OTHER, 2: POD });
    const writes = writesOf([aside, taken], [held, free]);
    expect(keptOf(writes, taken)).to.deep.equal(['refusal', undefined]);
  });
});
