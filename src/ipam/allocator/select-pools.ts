import { EngineError } from '../../errors/engine-error.ts';
import type { Address, Family } from '../../net/address.ts';
import { type Cidr, cidrFamily, cidrsEqual, containsAddress, formatCidr } from '../../net/cidr.ts';
import type { PoolRow } from '../model/pool.ts';
import { type Labels, selects } from '../selector/evaluate.ts';

/** Who asks for addresses, and from where. */
export interface PoolRequest {
  readonly family: Family;
  /** Pools that are asked for by their prefix; none for any. */
  readonly requested: readonly Cidr[];
  readonly nodeLabels: Labels;
  /** Empty when there is no namespace. */
  readonly namespaceLabels: Labels;
  /** Pools with smaller blocks cannot serve the request. */
  readonly longestBlockPrefix: number;
}

/** Whether addresses of the pool may be given out. */
export function isEnabled(pool: PoolRow): boolean {
  return !pool.disabled && pool.allocatable && pool.terminating !== true;
}

/** The pool to which an address belongs: the first one that covers it. */
export function poolOf(pools: readonly PoolRow[], address: Address): PoolRow | undefined {
  return pools.find((pool) => containsAddress(pool.cidr, address));
}

/** Pools of one family, in the given order, of which addresses may be given out. */
export function enabledPools(pools: readonly PoolRow[], family: Family): readonly PoolRow[] {
  return pools.filter((pool) => isEnabled(pool) && cidrFamily(pool.cidr) === family);
}

/**
 * The pools that may serve a request, from enabled ones in order of their names. Pools that are asked for come in the
 * order of the request, and neither their selectors nor their assignment mode matter.
 *
 * @throws {@link EngineError} `no-qualified-pool`, `requested-pool-unusable`, `bad-selector`
 * Source: Calico libcalico-go lib/ipam, pool selection.
 */
export function selectPools(enabled: readonly PoolRow[], request: PoolRequest): readonly PoolRow[] {
  const qualified = enabled.filter((pool) => pool.blockSize <= request.longestBlockPrefix);
  if (qualified.length === 0) {
    throw new EngineError(
      'no-qualified-pool',
      `no enabled pool of IPv${request.family} has blocks that are large enough`,
    );
  }
  if (request.requested.length > 0)
    return request.requested.map((cidr) => requestedPool(qualified, cidr));
  // Also those whose blocks are too small, as long as there is another one: Calico does not look again.
  return enabled.filter(
    (pool) =>
      pool.assignmentMode === 'Automatic' &&
      selectorMatches(pool.nodeSelector, request.nodeLabels) &&
      selectorMatches(pool.namespaceSelector, request.namespaceLabels),
  );
}

function requestedPool(qualified: readonly PoolRow[], cidr: Cidr): PoolRow {
  // Of two pools with one prefix the later one stands, as in a map that is filled in order.
  const pool = qualified.findLast((one) => cidrsEqual(one.cidr, cidr));
  if (pool) return pool;
  throw new EngineError(
    'requested-pool-unusable',
    `the pool ${formatCidr(cidr)} does not exist, is not enabled, or has too small blocks`,
  );
}

/** The pools among these that allow a use. @throws {@link EngineError} `no-pool-for-use` when none does. */
export function poolsForUse(pools: readonly PoolRow[], use: string): readonly PoolRow[] {
  const allowed = pools.filter((pool) => pool.allowedUses.includes(use));
  if (allowed.length > 0) return allowed;
  throw new EngineError(
    'no-pool-for-use',
    `no pool that could serve the request allows the use ${use}`,
  );
}

/** Whether labels satisfy a selector; a blank one is satisfied by all. @throws {@link EngineError} `bad-selector` */
export function selectorMatches(selector: string, labels: Labels): boolean {
  const result = selects(selector, labels);
  if (result !== undefined) return result;
  throw new EngineError('bad-selector', `the selector "${selector}" of a pool cannot be read`);
}
