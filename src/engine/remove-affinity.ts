import { ConflictError } from '../errors/conflict-error.ts';
import { affinityText } from '../ipam/allocator/create-block.ts';
import type { BlockOwner } from '../ipam/block-owner.ts';
import type { AffinityRow } from '../ipam/model/affinity.ts';
import { formatCidr } from '../net/cidr.ts';
import { type EngineContext, RETRIES } from './engine-context.ts';
import { isConflict } from './lost-race.ts';

/**
 * Removes the row of an affinity whose block was released. A change of what does not matter, such as a label, must not keep
 * it, since the block is gone by now and another try of the release would end there.
 *
 * @throws {@link ConflictError} when a claim has moved the row back, or it keeps changing.
 * Source: Calico libcalico-go lib/ipam, release of a block affinity.
 */
export async function removeReleased(
  context: EngineContext,
  owner: BlockOwner,
  marked: AffinityRow,
): Promise<void> {
  const isGone = await removeWhile(context, { owner, row: marked }, ({ state }) =>
    Promise.resolve(state === 'pendingDeletion'),
  );
  if (isGone) return;
  const name = `${affinityText(owner)} for ${formatCidr(marked.cidr)}`;
  throw new ConflictError(`the affinity of ${name} has changed since it was marked`);
}

/**
 * Removes the row of an affinity for somebody else's block, as long as the block is somebody else's. A row that keeps
 * changing stays, and whoever next looks at it removes it.
 *
 * Source: Calico libcalico-go lib/ipam, claim of a block.
 */
export async function removeStale(
  context: EngineContext,
  owner: BlockOwner,
  row: AffinityRow,
): Promise<void> {
  await removeWhile(context, { owner, row }, async ({ cidr }) => {
    const block = await context.store.block(cidr);
    return block !== undefined && block.affinity !== affinityText(owner);
  });
}

/** Removes a row, and after a lost race tries again while it may still go; false when it stays. */
async function removeWhile(
  { store }: EngineContext,
  { owner, row }: { readonly owner: BlockOwner; readonly row: AffinityRow },
  mayGo: (now: AffinityRow) => Promise<boolean>,
): Promise<boolean> {
  let now: AffinityRow | undefined = row;
  for (let attempt = 1; attempt <= RETRIES; attempt++) {
    try {
      await store.removeIfThere(now);
      return true;
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
    now = await store.affinity(owner, row.cidr);
    if (now === undefined) return true;
    if (!(await mayGo(now))) return false;
  }
  return false;
}
