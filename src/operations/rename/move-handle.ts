import { PreconditionError } from '../../errors/precondition-error.ts';
import { comparableHandleId } from '../../ipam/handle-id.ts';
import type { HandleRow } from '../../ipam/model/handle.ts';
import { countIn, hasEntry, strayEntries, withCount } from '../../ipam/rename/handle-entries.ts';
import { type Cidr, formatCidr } from '../../net/cidr.ts';
import type { HandleMove } from './leg-plan.ts';
import type { RenameTools } from './rename-tools.ts';

const PURPOSE = { action: 'rename-handle' } as const;

/** A number of addresses in a block. */
export interface CountAt {
  readonly cidr: Cidr;
  readonly count: number;
}

/** A handle as it stands while a block of it is renamed. */
export interface HandleStand {
  readonly move: HandleMove;
  /** Rows of the old id that are there. */
  readonly olds: readonly HandleRow[];
  /** Row of the new id; undefined when it has none yet. */
  readonly current: HandleRow | undefined;
}

/**
 * Reads the rows of a handle, old and new.
 * @throws {@link PreconditionError} when somebody else has got the new id in the meantime.
 */
export async function readHandle(
  move: HandleMove,
  attempt: number,
  { access, made, isResumed }: RenameTools,
): Promise<HandleStand> {
  const { newId, newKey, oldId } = move;
  const olds: HandleRow[] = [];
  for (const key of move.oldKeys) {
    const row = await access.read('IPAMHandle', key, attempt);
    if (row && !row.deleted && comparableHandleId(row.id) === oldId) olds.push(row);
  }
  const found = await access.read('IPAMHandle', newKey, attempt);
  const isThere = found !== undefined && !found.deleted;
  const isOld = isThere && comparableHandleId(found.id) === oldId;
  if (!isThere || isOld) return { move, olds, current: undefined };
  if (comparableHandleId(found.id) !== newId || !(isResumed || made.has(newKey.name)))
    throw new PreconditionError(`handle ${newId} was made by somebody else in between`);
  return { move, olds, current: found };
}

/** Makes the new handle count so many addresses of a block, before the block names it. */
export async function raiseNew(
  { move, olds, current }: HandleStand,
  { cidr, count }: CountAt,
  { writer, made }: RenameTools,
): Promise<void> {
  const { newId, newKey } = move;
  const [old] = olds;
  if (current === undefined && old === undefined) return;
  if (current !== undefined) {
    if (countIn([current], cidr) !== count)
      await writer.update(current, withCount(current, cidr, count), PURPOSE);
    return;
  }
  // Ids that differ in case only share their row in Kubernetes.
  if (old?.key.name === newKey.name) {
    await writer.update(old, withCount({ ...old, id: newId }, cidr, count), PURPOSE);
    made.add(newKey.name);
    return;
  }
  const row: HandleRow = {
    kind: 'IPAMHandle',
    key: newKey,
    id: newId,
    counts: [],
    deleted: false,
    object: old?.object,
  };
  await writer.create(withCount(row, cidr, count), PURPOSE);
  made.add(newKey.name);
}

/** Takes so many addresses of a block off the rows of the old id; a row that counts nothing any more is deleted. */
export async function lowerOld(
  { olds, move }: HandleStand,
  { cidr, count }: CountAt,
  { writer }: RenameTools,
): Promise<void> {
  let due = count;
  for (const row of olds) {
    if (!hasEntry(row, cidr) || row.key.name === move.newKey.name) continue;
    const counted = countIn([row], cidr);
    const left = Math.max(0, counted - due);
    if (counted > 0 && left === counted) continue;
    due -= counted - left;
    const lowered = withCount(row, cidr, left);
    if (lowered.counts.length === 0) await writer.remove(row, PURPOSE);
    else await writer.update(row, lowered, PURPOSE);
  }
}

/**
 * Gives the new id what no block has to do with: an old row that counts nothing, and counts under texts that are no
 * prefix.
 */
export async function moveRest(stand: HandleStand, { writer, made }: RenameTools): Promise<void> {
  const { move, olds, current } = stand;
  const due = olds.filter(
    (row) => row.key.name !== move.newKey.name && row.counts.length === strayEntries(row).length,
  );
  const [first] = due;
  if (first === undefined) return;
  const strays = due.flatMap(strayEntries);
  if (current === undefined) {
    const { newKey: key, newId: id } = move;
    const row: HandleRow = { kind: 'IPAMHandle', key, id, counts: strays, deleted: false };
    await writer.create({ ...row, object: first.object }, PURPOSE);
    made.add(key.name);
  } else {
    const known = new Set(current.counts.map(({ text }) => text));
    const more = strays.filter(({ text }) => !known.has(text));
    if (more.length > 0)
      await writer.update(current, { ...current, counts: [...current.counts, ...more] }, PURPOSE);
  }
  for (const row of due) await writer.remove(row, PURPOSE);
}

/** Takes back what was raised for a block that is not renamed after all. */
export async function lowerNew(
  { move, current }: HandleStand,
  { cidr, count }: CountAt,
  { writer, made, isResumed }: RenameTools,
): Promise<void> {
  if (current === undefined || !(isResumed || made.has(move.newKey.name))) return;
  if (countIn([current], cidr) === count && hasEntry(current, cidr) === count > 0) return;
  const lowered = withCount(current, cidr, count);
  if (lowered.counts.length === 0) await writer.remove(current, PURPOSE);
  else await writer.update(current, lowered, PURPOSE);
}

/** Text of the refusal of a block that names the new id before it is renamed. */
export function heldByOther({ newId }: HandleMove, cidr: Cidr): PreconditionError {
  return new PreconditionError(
    `block ${formatCidr(cidr)} names ${newId}, which was assigned by somebody else in between`,
  );
}
