import { EngineError, isEngineError } from '../errors/engine-error.ts';
import { type BlockOwner, ownerOfAffinity } from '../ipam/block-owner.ts';
import type { AffinityRow } from '../ipam/model/affinity.ts';
import type { BlockRow } from '../ipam/model/block.ts';
import type { Cidr } from '../net/cidr.ts';
import { containsAddress, formatCidr } from '../net/cidr.ts';
import { affinitiesOf } from './affinity-list.ts';
import { type EngineContext, RETRIES } from './engine-context.ts';
import { isNotFound, outOfTries } from './lost-race.ts';
import { isNothingToRelease, releaseOnce, releaseWithRetries } from './release-step.ts';

/**
 * Releases all blocks of an owner, IPv4 first. A block that is refused does not stop the others; addresses stay.
 *
 * @throws the last refusal, such as {@link EngineError} `block-not-empty`
 * Source: Calico libcalico-go lib/ipam, ReleaseHostAffinities.
 */
export async function releaseAffinitiesOf(
  context: EngineContext,
  owner: BlockOwner,
  mustBeEmpty: boolean,
): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  const rows = [
    ...(await affinitiesOf(context, owner, 4)),
    ...(await affinitiesOf(context, owner, 6)),
  ];
  for (const { cidr } of rows) {
    try {
      await releaseWithRetries(context, { owner, cidr, mustBeEmpty });
    } catch (error) {
      if (!isNothingToRelease(error)) failure = { error };
    }
  }
  if (failure) throw failure.error;
}

/**
 * Releases all blocks in the range of a pool, whoever owns them; addresses stay. No pool is needed.
 *
 * @throws {@link EngineError} `max-retries`
 * Source: Calico libcalico-go lib/ipam, ReleasePoolAffinities.
 */
export async function releaseAffinitiesIn(context: EngineContext, range: Cidr): Promise<void> {
  for (let round = 1; round <= RETRIES; round++) {
    const rows = await context.store.affinities(({ cidr }) => containsAddress(range, cidr.base));
    let isAgain = false;
    for (const row of rows) isAgain = (await releaseRow(context, row)) || isAgain;
    if (!isAgain) return;
  }
  throw outOfTries(`releasing the blocks in ${formatCidr(range)}`);
}

/** Releases the block of a row; true when the row was stale, and another one may claim the block. */
async function releaseRow(
  context: EngineContext,
  { type, host, cidr }: AffinityRow,
): Promise<boolean> {
  try {
    await releaseWithRetries(context, { owner: { type, host }, cidr, mustBeEmpty: false });
    return false;
  } catch (error) {
    if (isEngineError(error, 'claimed-by-other')) return true;
    if (isNotFound(error)) return false;
    throw error;
  }
}

/**
 * Releases one block from the owner that it names, in one try.
 *
 * @throws {@link EngineError} `block-not-empty`; {@link ConflictError} when it changed since it was read.
 * Source: Calico libcalico-go lib/ipam, ReleaseBlockAffinity.
 */
export async function releaseAffinityOfBlock(
  context: EngineContext,
  block: BlockRow,
  mustBeEmpty: boolean,
): Promise<void> {
  if (block.affinity === undefined) return;
  const owner = ownerOfAffinity(block.affinity);
  if (!owner || (owner.type !== 'host' && owner.type !== 'virtual')) {
    throw new EngineError(
      'not-found',
      `the owner "${block.affinity}" of block ${formatCidr(block.cidr)} is no owner`,
    );
  }
  try {
    await releaseOnce(context, { owner, cidr: block.cidr, mustBeEmpty });
  } catch (error) {
    if (!isNothingToRelease(error)) throw error;
  }
}
