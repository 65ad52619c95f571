import { affinityText } from '../ipam/allocator/create-block.ts';
import type { BlockOwner } from '../ipam/block-owner.ts';
import type { AffinityRow, AffinityState } from '../ipam/model/affinity.ts';
import type { Cidr } from '../net/cidr.ts';
import { confirmOwned } from './claim-block.ts';
import { type EngineContext, RETRIES } from './engine-context.ts';
import { isConflict } from './lost-race.ts';

/**
 * Confirms an affinity again that was marked for deletion, after its block changed and could not be released. Else the row
 * would stay marked where the release is refused from then on, such as for an address that came in between.
 *
 * Departs from upstream, where the row stays marked until its owner next looks at the block.
 *
 * @remarks Whoever moves the row or takes the block meanwhile goes on with it.
 */
export async function giveBack(
  context: EngineContext,
  owner: BlockOwner,
  cidr: Cidr,
): Promise<void> {
  const ours = new Set<AffinityState>(['pendingDeletion']);
  for (let attempt = 1; attempt <= RETRIES; attempt++) {
    const row = await context.store.affinity(owner, cidr);
    if (row === undefined || !ours.has(row.state)) return;
    try {
      await confirmAgain(context, { owner, row, ours });
      return;
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
}

/** One try. @param ours States to which the row was moved for it. */
async function confirmAgain(
  context: EngineContext,
  {
    owner,
    row,
    ours,
  }: {
    readonly owner: BlockOwner;
    readonly row: AffinityRow;
    readonly ours: Set<AffinityState>;
  },
): Promise<void> {
  const { store } = context;
  const block = await store.block(row.cidr);
  if (block?.affinity !== affinityText(owner)) {
    // Whoever took the block could not remove a row that is pending by now.
    if (row.state === 'pending') await store.removeIfThere(row);
    return;
  }
  const pending = await store.setAffinityState(row, owner, 'pending');
  ours.add('pending');
  await confirmOwned(context, owner, { pending, block });
}
