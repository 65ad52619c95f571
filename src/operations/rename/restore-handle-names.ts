import { comparableHandleId } from '../../ipam/handle-id.ts';
import type { BlockRow } from '../../ipam/model/block.ts';
import type { HandleRow } from '../../ipam/model/handle.ts';
import { countIn, withCount } from '../../ipam/rename/handle-entries.ts';
import { countHeld } from '../../ipam/rename/rename-block.ts';
import { type Cidr, formatCidr } from '../../net/cidr.ts';
import type { RowHistory } from './row-histories.ts';

/** A block as the renaming found it and as it is now; each undefined when there is or was none. */
export interface BlockEnds {
  readonly first: BlockRow | undefined;
  readonly current: BlockRow | undefined;
}

/** Gives both ends of a block. */
export type EndsOf = (cidr: Cidr) => BlockEnds;

/** The row of a handle before a renaming, as far as the file has it. */
export function firstHandle({ first }: RowHistory): HandleRow | undefined {
  return first?.kind === 'IPAMHandle' ? first : undefined;
}

/** The row with counts that are enough for both what it has and what it had: those of the larger number. */
export function raisedHandle(first: HandleRow, current: HandleRow | undefined): HandleRow {
  let row: HandleRow = { ...first, object: current?.object ?? first.object };
  for (const { cidr } of current?.counts ?? []) {
    if (cidr)
      row = withCount(
        row,
        cidr,
        Math.max(countIn([row], cidr), countIn(currentRows(current), cidr)),
      );
  }
  return row;
}

/**
 * The row of a handle once its blocks have their names back: what it counted beyond the blocks before it counts beyond
 * them again. Undefined when nothing is left of it.
 */
export function settledHandle(
  history: RowHistory,
  current: HandleRow | undefined,
  endsOf: EndsOf,
): HandleRow | undefined {
  const first = firstHandle(history);
  const base = first ?? current;
  if (base === undefined) return undefined;
  let row: HandleRow = { ...base, object: current?.object ?? base.object };
  for (const cidr of blocksOf(history, current))
    row = withCount(row, cidr, wanted(endsOf(cidr), base, first ? countIn([first], cidr) : 0));
  return row.counts.length === 0 && (first === undefined || first.counts.length > 0)
    ? undefined
    : row;
}

/** @param counted What the handle counted in the block before. */
function wanted({ first, current }: BlockEnds, { id }: HandleRow, counted: number): number {
  const held = heldIn(current, comparableHandleId(id));
  if (first === undefined) return Math.max(counted, held);
  return Math.max(0, held + counted - heldIn(first, comparableHandleId(id)));
}

function heldIn(block: BlockRow | undefined, id: string): number {
  return block === undefined ? 0 : countHeld(block, id);
}

function blocksOf({ first, later }: RowHistory, current: HandleRow | undefined): readonly Cidr[] {
  const cidrs = new Map<string, Cidr>();
  for (const row of [first, ...later, current]) {
    if (row?.kind !== 'IPAMHandle') continue;
    for (const { cidr } of row.counts) if (cidr) cidrs.set(formatCidr(cidr), cidr);
  }
  return [...cidrs.values()];
}

function currentRows(current: HandleRow | undefined): readonly HandleRow[] {
  return current ? [current] : [];
}
