import { isEngineError } from '../errors/engine-error.ts';
import { enabledPools, poolOf, selectorMatches } from '../ipam/allocator/select-pools.ts';
import { ownerOfAffinity } from '../ipam/block-owner.ts';
import type { BlockRow } from '../ipam/model/block.ts';
import type { PoolRow } from '../ipam/model/pool.ts';
import type { Labels } from '../ipam/selector/evaluate.ts';
import { cidrFamily } from '../net/cidr.ts';
import type { EngineContext } from './engine-context.ts';
import { isNothingToRelease, releaseWithRetries } from './release-step.ts';

/**
 * Gives up a block that just lost addresses when it is empty and its pool no longer selects its owner's node. Nothing
 * happens without node, pool or owner; the addresses are released in any case, so no refusal is a failure.
 *
 * Source: Calico libcalico-go lib/ipam, consistency of affinities after a release.
 */
export async function releaseIfNotSelected(
  context: EngineContext,
  block: BlockRow,
  pools: readonly PoolRow[],
): Promise<void> {
  const owner = ownerOfAffinity(block.affinity);
  const pool = poolOf(enabledPools(pools, cidrFamily(block.cidr)), block.cidr.base);
  if (!owner || !pool || selectsEverything(pool)) return;
  const node = await context.store.node(owner.host);
  if (!node || selectsNode(pool, node.labels)) return;
  try {
    await releaseWithRetries(context, { owner, cidr: block.cidr, mustBeEmpty: true });
  } catch (error) {
    if (!isKept(error)) throw error;
  }
}

/** Whether a release that needed an empty block ended without one, and that is fine. */
export function isKept(error: unknown): boolean {
  return isNothingToRelease(error) || isEngineError(error, 'block-not-empty', 'max-retries');
}

/** Whether the pool selects a node; a selector that cannot be read decides nothing, so it counts as selecting. */
export function selectsNode(pool: PoolRow, labels: Labels): boolean {
  try {
    return selectorMatches(pool.nodeSelector, labels);
  } catch (error) {
    if (isEngineError(error, 'bad-selector')) return true;
    throw error;
  }
}

/** Saves reading the node for the selector that nearly all pools have. */
function selectsEverything(pool: PoolRow): boolean {
  return pool.nodeSelector === 'all()' || pool.nodeSelector === '';
}
