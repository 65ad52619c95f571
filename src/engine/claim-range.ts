import { EngineError, isEngineError } from '../errors/engine-error.ts';
import type { BlockOwner } from '../ipam/block-owner.ts';
import type { PoolRow } from '../ipam/model/pool.ts';
import { addressOf, bitsOf } from '../net/address.ts';
import { type Cidr, cidrFamily, formatCidr } from '../net/cidr.ts';
import { findPool } from './assign-address.ts';
import { claimBlock, pendingAffinity } from './claim-block.ts';
import type { EngineContext } from './engine-context.ts';
import { withRetries } from './lost-race.ts';
import { isNothingToRelease, releaseWithRetries } from './release-step.ts';

/** What became of the blocks of a range. */
export interface ClaimResult {
  /** Blocks that belong to the owner now, or did before. */
  readonly claimed: readonly Cidr[];
  /** Blocks that belong to somebody else. */
  readonly failed: readonly Cidr[];
  /** What ended the claim before all blocks were tried. */
  readonly error?: unknown;
}

/**
 * Claims every block of a range for an owner, without limit and in ascending order. Only the first address of the range
 * has to be in a pool.
 *
 * @throws {@link EngineError} `pool-not-configured`, `cidr-smaller-than-block`
 * Source: Calico libcalico-go lib/ipam, ClaimAffinity.
 */
export async function claimRange(
  context: EngineContext,
  owner: BlockOwner,
  range: Cidr,
): Promise<ClaimResult> {
  const pool = await poolOfRange(context, range);
  const claimed: Cidr[] = [];
  const failed: Cidr[] = [];
  try {
    for (const cidr of blocksIn(range, pool.blockSize)) {
      ((await isClaimed(context, owner, cidr)) ? claimed : failed).push(cidr);
    }
    return { claimed, failed };
  } catch (error) {
    return { claimed, failed, error };
  }
}

async function isClaimed(context: EngineContext, owner: BlockOwner, cidr: Cidr): Promise<boolean> {
  try {
    await withRetries(`claiming block ${formatCidr(cidr)}`, async () => {
      const affinity = await pendingAffinity(context, owner, cidr);
      await claimBlock(context, { owner }, affinity);
    });
    return true;
  } catch (error) {
    if (isEngineError(error, 'claimed-by-other')) return false;
    throw error;
  }
}

/**
 * Releases every block of a range from a host, in ascending order; blocks that are not its own are passed over.
 *
 * @throws {@link EngineError} `pool-not-configured`, `cidr-smaller-than-block`, `block-not-empty`; blocks before it stay
 * released.
 * Source: Calico libcalico-go lib/ipam, ReleaseAffinity.
 */
export async function releaseRange(
  context: EngineContext,
  request: { readonly host: string; readonly range: Cidr; readonly mustBeEmpty: boolean },
): Promise<void> {
  const { host, range, mustBeEmpty } = request;
  const pool = await poolOfRange(context, range);
  for (const cidr of blocksIn(range, pool.blockSize)) {
    try {
      await releaseWithRetries(context, { owner: { type: 'host', host }, cidr, mustBeEmpty });
    } catch (error) {
      if (!isNothingToRelease(error)) throw error;
    }
  }
}

async function poolOfRange(context: EngineContext, range: Cidr): Promise<PoolRow> {
  const pool = await findPool(context, range.base);
  if (range.length <= pool.blockSize) return pool;
  throw new EngineError(
    'cidr-smaller-than-block',
    `the range ${formatCidr(range)} is smaller than a block of pool ${pool.key.name}, which is a /${pool.blockSize}`,
  );
}

function* blocksIn(range: Cidr, blockSize: number): Generator<Cidr> {
  const size = 1n << BigInt(bitsOf(cidrFamily(range)) - blockSize);
  const count = 1n << BigInt(blockSize - range.length);
  const { base } = range;
  for (let i = 0n; i < count; i++) {
    const shifted =
      typeof base === 'number' ? base + Number(i * size) : (base as bigint) + i * size;
    yield { base: addressOf(shifted), length: blockSize };
  }
}
