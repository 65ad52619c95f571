import { PreconditionError } from '../../errors/precondition-error.ts';
import { isSameOwner } from '../../ipam/block-owner.ts';
import type { AffinityRow, AffinityState } from '../../ipam/model/affinity.ts';
import { type Cidr, cidrsEqual, formatCidr } from '../../net/cidr.ts';
import type { ClaimMove } from './leg-plan.ts';
import type { RenameTools } from './rename-tools.ts';

const PURPOSE = { action: 'rename-affinity' } as const;

/** An affinity row as it stands while its block is renamed. */
export interface ClaimStand {
  readonly move: ClaimMove;
  readonly cidr: Cidr;
  /** Rows of the old name that are there, the one that counts first. */
  readonly olds: readonly AffinityRow[];
  /** Row of the new name; undefined when there is none yet. */
  readonly current: AffinityRow | undefined;
}

/**
 * Reads the rows of a claim, old and new.
 * @throws {@link PreconditionError} when somebody else has made the row of the new name in the meantime.
 */
export async function readClaim(
  move: ClaimMove,
  { cidr, attempt }: { readonly cidr: Cidr; readonly attempt: number },
  { access, made, isResumed }: RenameTools,
): Promise<ClaimStand> {
  const { from, to, newKey } = move;
  const olds: AffinityRow[] = [];
  for (const key of move.oldKeys) {
    const row = await access.read('BlockAffinity', key, attempt);
    if (row && !row.deleted && isOf(row, from, cidr)) olds.push(row);
  }
  const found = await access.read('BlockAffinity', newKey, attempt);
  if (found === undefined || found.deleted) return { move, cidr, olds, current: undefined };
  if (!isOf(found, to, cidr) || !(isResumed || made.has(newKey.name)))
    throw new PreconditionError(
      `row ${newKey.name} for block ${formatCidr(cidr)} was made by somebody else in between`,
    );
  return { move, cidr, olds, current: found };
}

/** Makes the row of the new name: pending as long as the block is not its owner's, else in the state of the old one. */
export async function createNew(
  stand: ClaimStand,
  isOwner: boolean,
  { writer, made }: RenameTools,
): Promise<ClaimStand> {
  const { move, cidr, olds, current } = stand;
  const [old] = olds;
  if (current !== undefined || old === undefined) return stand;
  const row: AffinityRow = {
    kind: 'BlockAffinity',
    key: move.newKey,
    type: old.type,
    host: move.to,
    cidr,
    state: isOwner ? 'pending' : stateOf(old),
    deleted: false,
    object: old.object,
  };
  const created = await writer.create(row, PURPOSE);
  made.add(move.newKey.name);
  return { ...stand, current: created };
}

/** Gives the row of the new name the state of the old one. */
export async function settleNew(
  { current, olds }: ClaimStand,
  { writer }: RenameTools,
): Promise<void> {
  const [old] = olds;
  if (current === undefined || old === undefined) return;
  const state = stateOf(old);
  if (stateOf(current) !== state) await writer.update(current, { ...current, state }, PURPOSE);
}

/** Deletes the rows of the old name. */
export async function removeOld({ olds }: ClaimStand, { writer }: RenameTools): Promise<void> {
  for (const row of olds) await writer.remove(row, PURPOSE);
}

/** Takes back a row that was made for a claim which is not renamed after all. */
export async function removeNew(
  { current, move }: ClaimStand,
  { writer, made }: RenameTools,
): Promise<void> {
  if (current !== undefined && made.has(move.newKey.name)) await writer.remove(current, PURPOSE);
}

function isOf(row: AffinityRow, host: string, cidr: Cidr): boolean {
  return isSameOwner(row, { type: 'host', host }) && cidrsEqual(row.cidr, cidr);
}

/** Old releases wrote confirmed rows without a state. */
function stateOf({ state }: AffinityRow): AffinityState {
  return state || 'confirmed';
}
