import { isEmptyBlock } from '../ipam/allocator/block-content.ts';
import { type BlockOwner, isSameOwner, ownerOfAffinity } from '../ipam/block-owner.ts';
import type { AffinityRow } from '../ipam/model/affinity.ts';
import type { BlockRow } from '../ipam/model/block.ts';
import type { ResourceKey } from '../ipam/model/resource.ts';
import type { RowAccess } from './row-access.ts';
import type { Writer } from './writer.ts';

/** A block that its owner gives up, and the row by which it is claimed. Either may be gone already. */
export interface EmptyClaim {
  readonly owner: BlockOwner;
  readonly block: ResourceKey | undefined;
  readonly affinity: ResourceKey | undefined;
}

/** Why a claim is not given up after all. */
export type ClaimKept = 'block-in-use' | 'block-of-another' | 'row-of-another';

/**
 * Gives up an empty block as Calico does: the row is marked, the block deleted, then the row. Whatever of it is done
 * already is passed over, so an interrupted run goes on. To be run again when it loses a race.
 * @returns why nothing was done, or undefined.
 * Source: Calico libcalico-go lib/ipam, release of a block affinity.
 */
export async function releaseEmptyClaim(
  claim: EmptyClaim,
  { access, writer }: { readonly access: RowAccess; readonly writer: Writer },
  attempt: number,
): Promise<ClaimKept | undefined> {
  const block = claim.block && (await access.read('IPAMBlock', claim.block, attempt));
  const row = claim.affinity && (await access.read('BlockAffinity', claim.affinity, attempt));
  const kept = keptClaim(claim.owner, block, row);
  if (kept !== undefined) return kept;
  const marked = row && (await markedRow(row, writer));
  if (block !== undefined && !block.deleted) await writer.remove(block, { action: 'delete-block' });
  if (marked) await writer.remove(marked, { action: 'delete-affinity' });
  return undefined;
}

function keptClaim(
  owner: BlockOwner,
  block: BlockRow | undefined,
  row: AffinityRow | undefined,
): ClaimKept | undefined {
  if (row && !isSameOwner(row, owner)) return 'row-of-another';
  if (!block || block.deleted) return undefined;
  const blockOwner = ownerOfAffinity(block.affinity);
  if (!blockOwner || !isSameOwner(blockOwner, owner)) return 'block-of-another';
  return isEmptyBlock(block) ? undefined : 'block-in-use';
}

async function markedRow(row: AffinityRow, writer: Writer): Promise<AffinityRow> {
  if (row.state === 'pendingDeletion') return row;
  return writer.update(row, { ...row, state: 'pendingDeletion' }, { action: 'delete-affinity' });
}
