import { EngineError, isEngineError } from '../errors/engine-error.ts';
import { isEmptyBlock } from '../ipam/allocator/block-content.ts';
import { collectCooled } from '../ipam/allocator/collect-cooled.ts';
import { affinityText } from '../ipam/allocator/create-block.ts';
import type { BlockOwner } from '../ipam/block-owner.ts';
import type { AffinityRow } from '../ipam/model/affinity.ts';
import type { BlockRow } from '../ipam/model/block.ts';
import { type Cidr, formatCidr } from '../net/cidr.ts';
import { coolingOf, type EngineContext, readConfig } from './engine-context.ts';
import { giveBack } from './give-back.ts';
import { isConflict, isNotFound, withRetries } from './lost-race.ts';
import { removeReleased, removeStale } from './remove-affinity.ts';

/** Which affinity to release, and on what terms. */
export interface AffinityRelease {
  readonly owner: BlockOwner;
  readonly cidr: Cidr;
  /** Whether a block that holds addresses keeps its owner. */
  readonly mustBeEmpty: boolean;
  /** The release goes through only while the block has this sequence number. */
  readonly sequenceNumber?: bigint | undefined;
}

/**
 * Releases one affinity, once: the row is marked, an empty block is deleted and any other loses its owner, then the row
 * goes. Addresses stay. When the block changes in between, the affinity is confirmed again.
 *
 * @throws {@link EngineError} `not-found` when the row or the block is not there (then the row stays), `claimed-by-other`
 * when the block is somebody else's (then the row goes), `block-not-empty`; {@link ConflictError}
 * Source: Calico libcalico-go lib/ipam, release of a block affinity.
 */
export async function releaseOnce(context: EngineContext, release: AffinityRelease): Promise<void> {
  const { store } = context;
  const { owner, cidr } = release;
  const affinity = await readAffinity(context, release);
  const stored = await store.block(cidr);
  if (!stored) throw new EngineError('not-found', `there is no block ${formatCidr(cidr)}`);
  const block = collectCooled(stored, coolingOf(context, await readConfig(context)));
  await assertReleasable(context, block, { affinity, release });
  const leaving = await store.setAffinityState(affinity, owner, 'pendingDeletion');
  try {
    if (isEmptyBlock(block)) await store.removeIfThere(block);
    else await store.writeBlock({ ...block, affinity: undefined, claimedAt: undefined });
  } catch (error) {
    if (isConflict(error)) await giveBack(context, owner, cidr);
    throw error;
  }
  await removeReleased(context, owner, leaving);
}

async function readAffinity(
  { store }: EngineContext,
  { owner, cidr }: AffinityRelease,
): Promise<AffinityRow> {
  const affinity = await store.affinity(owner, cidr);
  if (affinity) return affinity;
  throw new EngineError(
    'not-found',
    `${affinityText(owner)} has no affinity for block ${formatCidr(cidr)}`,
  );
}

async function assertReleasable(
  context: EngineContext,
  block: BlockRow,
  { affinity, release }: { readonly affinity: AffinityRow; readonly release: AffinityRelease },
): Promise<void> {
  const name = formatCidr(block.cidr);
  if (release.sequenceNumber !== undefined && release.sequenceNumber !== block.sequenceNumber) {
    throw new EngineError('conflict', `block ${name} has changed since it was looked at`);
  }
  // A block without an owner passes: whoever has a row for it may clear it up.
  if (block.affinity !== undefined && block.affinity !== affinityText(release.owner)) {
    await removeStale(context, release.owner, affinity);
    throw new EngineError('claimed-by-other', `block ${name} belongs to ${block.affinity}`);
  }
  if (release.mustBeEmpty && !isEmptyBlock(block)) {
    throw new EngineError('block-not-empty', `block ${name} holds addresses`, {
      details: { block: name },
    });
  }
}

/** Releases one affinity, again and again while its rows change in between. */
export async function releaseWithRetries(
  context: EngineContext,
  release: AffinityRelease,
): Promise<void> {
  await withRetries(`releasing block ${formatCidr(release.cidr)}`, () =>
    releaseOnce(context, release),
  );
}

/** Whether a release ended well without having done anything: there was nothing to release. */
export function isNothingToRelease(error: unknown): boolean {
  return isNotFound(error) || isEngineError(error, 'claimed-by-other');
}
