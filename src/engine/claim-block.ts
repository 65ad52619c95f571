import { AlreadyExistsError } from '../errors/already-exists-error.ts';
import { ConflictError } from '../errors/conflict-error.ts';
import { EngineError } from '../errors/engine-error.ts';
import { affinityText, createBlock } from '../ipam/allocator/create-block.ts';
import type { HostReservation } from '../ipam/allocator/host-reservation.ts';
import type { BlockOwner } from '../ipam/block-owner.ts';
import type { AffinityRow } from '../ipam/model/affinity.ts';
import type { BlockRow } from '../ipam/model/block.ts';
import { type Cidr, formatCidr } from '../net/cidr.ts';
import { type EngineContext, firstSequenceNumber } from './engine-context.ts';
import { removeStale } from './remove-affinity.ts';

/** Who claims blocks, and what of each new one is kept back. */
export interface Claimant {
  readonly owner: BlockOwner;
  readonly reservation?: HostReservation | undefined;
}

/**
 * The owner's affinity for a block, confirmed if it was so already, else pending: the first step of a claim. Moving a row
 * back that is on its way out makes the last step of the releaser fail.
 *
 * @throws {@link ConflictError} when the row changed in between.
 * Source: Calico libcalico-go lib/ipam, pending affinity.
 */
export async function pendingAffinity(
  { store }: EngineContext,
  owner: BlockOwner,
  cidr: Cidr,
): Promise<AffinityRow> {
  try {
    return await store.createAffinity(owner, cidr);
  } catch (error) {
    if (!(error instanceof AlreadyExistsError)) throw error;
  }
  const row = await store.affinity(owner, cidr);
  if (!row)
    throw new ConflictError(
      `the affinity of ${affinityText(owner)} for ${formatCidr(cidr)} went in between`,
    );
  return row.state === 'confirmed' ? row : store.setAffinityState(row, owner, 'pending');
}

/**
 * The block that an affinity claims: made if it is not there, and the affinity confirmed if it was not. An affinity for
 * somebody else's block is removed.
 *
 * @throws {@link EngineError} `stale-affinity` or `claimed-by-other` when the block is not the owner's;
 * {@link ConflictError}
 * Source: Calico libcalico-go lib/ipam, block of an affinity.
 */
export async function blockOfAffinity(
  context: EngineContext,
  claimant: Claimant,
  affinity: AffinityRow,
): Promise<BlockRow> {
  const { store } = context;
  const { owner } = claimant;
  const block = await store.block(affinity.cidr);
  if (!block) {
    const isPending = affinity.state === 'pending';
    const pending = isPending ? affinity : await store.setAffinityState(affinity, owner, 'pending');
    return claimBlock(context, claimant, pending);
  }
  if (block.affinity !== affinityText(owner)) {
    await removeStale(context, owner, affinity);
    throw new EngineError(
      'stale-affinity',
      `block ${formatCidr(block.cidr)} does not belong to ${affinityText(owner)}`,
    );
  }
  if (affinity.state === 'confirmed' || affinity.state === '') return block;
  const pending = await store.setAffinityState(affinity, owner, 'pending');
  return confirmOwned(context, owner, { pending, block });
}

/**
 * Confirms a pending affinity whose block is the owner's. The block is written unchanged before: whoever has read it to
 * release it must not get through any more.
 *
 * @returns the block as it was written.
 * @throws {@link ConflictError}
 */
export async function confirmOwned(
  { store }: EngineContext,
  owner: BlockOwner,
  { pending, block }: { readonly pending: AffinityRow; readonly block: BlockRow },
): Promise<BlockRow> {
  const written = await store.writeBlock(block);
  await store.setAffinityState(pending, owner, 'confirmed');
  return written;
}

/**
 * Makes the block of a pending affinity and confirms the affinity. A block that is the owner's already is taken as it is.
 *
 * @throws {@link EngineError} `claimed-by-other`, after the affinity was removed; {@link ConflictError}
 * Source: Calico libcalico-go lib/ipam, claim of a block.
 */
export async function claimBlock(
  context: EngineContext,
  claimant: Claimant,
  affinity: AffinityRow,
): Promise<BlockRow> {
  const block = await createOrRead(context, claimant, affinity.cidr);
  if (block.affinity !== affinityText(claimant.owner)) {
    await removeStale(context, claimant.owner, affinity);
    const by = block.affinity === undefined ? '' : ` by ${block.affinity}`;
    throw new EngineError(
      'claimed-by-other',
      `block ${formatCidr(block.cidr)} is claimed already${by}`,
    );
  }
  if (affinity.state !== 'confirmed') await confirm(context, claimant.owner, affinity);
  return block;
}

async function createOrRead(
  context: EngineContext,
  claimant: Claimant,
  cidr: Cidr,
): Promise<BlockRow> {
  const { store, clock } = context;
  const block = createBlock({
    key: store.keys.block(cidr),
    cidr,
    owner: claimant.owner,
    claimedAt: clock.now(),
    sequenceNumber: firstSequenceNumber(context),
    reservation: claimant.reservation,
  });
  try {
    return await store.createBlock(block);
  } catch (error) {
    if (!(error instanceof AlreadyExistsError)) throw error;
  }
  const existing = await store.block(cidr);
  if (!existing) throw new ConflictError(`block ${formatCidr(cidr)} went in between`);
  return existing;
}

/** Somebody of the same owner may have confirmed it in between, which is as good. */
async function confirm(
  { store }: EngineContext,
  owner: BlockOwner,
  affinity: AffinityRow,
): Promise<void> {
  try {
    await store.setAffinityState(affinity, owner, 'confirmed');
  } catch (error) {
    const now = await store.affinity(owner, affinity.cidr);
    if (now?.state !== 'confirmed') throw error;
  }
}
