import { isSameOwner, ownerOfAffinity } from '../ipam/block-owner.ts';
import type { AffinityRow } from '../ipam/model/affinity.ts';
import type { ResourceKey } from '../ipam/model/resource.ts';
import type { RowAccess } from './row-access.ts';
import type { Writer } from './writer.ts';

/**
 * Ends a claim as Calico does: the block is written unchanged, which proves that nobody has taken it, then the row is
 * confirmed.
 * @returns false when the block is gone or of another owner.
 * Source: Calico libcalico-go lib/ipam, claim of an affine block.
 */
export async function confirmClaim(
  row: AffinityRow,
  blockKey: ResourceKey,
  {
    access,
    writer,
    attempt,
  }: { readonly access: RowAccess; readonly writer: Writer; readonly attempt: number },
): Promise<boolean> {
  const block = await access.read('IPAMBlock', blockKey, attempt);
  const owner = ownerOfAffinity(block?.affinity);
  if (block === undefined || block.deleted || owner === undefined || !isSameOwner(owner, row))
    return false;
  await writer.update(
    block,
    { ...block, sequenceNumber: block.sequenceNumber + 1n },
    { action: 'confirm-affinity' },
  );
  await writer.update(row, { ...row, state: 'confirmed' }, { action: 'confirm-affinity' });
  return true;
}
