import type { Address } from '../../net/address.ts';
import { type Cidr, compareCidrs, containsAddress, containsCidr } from '../../net/cidr.ts';
import type { PoolRow } from '../model/pool.ts';
import { PrefixIndex } from '../state/prefix-index.ts';

/** What of a pool decides which blocks are its own. */
export type PoolShape = Pick<PoolRow, 'key' | 'cidr' | 'blockSize' | 'lostOverlap'>;

/**
 * Whether `a` comes before `b` among pools that both cover a block: pools that lost an overlap last, then the
 * narrower prefix, then the name. Negative, zero or positive as for `Array.sort`.
 * Source: Calico libcalico-go lib/ipam/accounting pool.go.
 */
export function comparePoolsForBlock(a: PoolShape, b: PoolShape): number {
  if (a.lostOverlap !== b.lostOverlap) return a.lostOverlap ? 1 : -1;
  if (a.cidr.length !== b.cidr.length) return b.cidr.length - a.cidr.length;
  return a.key.name < b.key.name ? -1 : a.key.name > b.key.name ? 1 : 0;
}

/**
 * Which of the covering pools owns a block of this prefix length. A pool whose block size fits comes before any other
 * reason: a block size never changes, so a fit is evidence of where the block was carved from.
 */
function bestOf<P extends PoolShape>(candidates: readonly P[], blockLength: number): P | undefined {
  let best: P | undefined;
  for (const pool of candidates) {
    if (best === undefined || ranksBefore(pool, best, blockLength)) best = pool;
  }
  return best;
}

function ranksBefore(a: PoolShape, b: PoolShape, blockLength: number): boolean {
  const fits = a.blockSize === blockLength;
  if (fits !== (b.blockSize === blockLength)) return fits;
  return comparePoolsForBlock(a, b) < 0;
}

/**
 * The pool that owns a block, or undefined when none covers the whole of it. Disabled and terminating pools keep their
 * blocks, whatever other pools there are.
 * Source: Calico libcalico-go lib/ipam/accounting pool.go.
 */
export function attributeBlock<P extends PoolShape>(
  pools: readonly P[],
  block: Cidr,
): P | undefined {
  return bestOf(
    pools.filter((pool) => containsCidr(pool.cidr, block)),
    block.length,
  );
}

/**
 * The enabled pool that contains an address, the best one by {@link comparePoolsForBlock} when several do; undefined
 * when none does. Only `spec.disabled` disables a pool here: what lies in a pool that is going away, or that lost an
 * overlap, is still inside a pool.
 */
export function activePoolOf(pools: readonly PoolRow[], address: Address): PoolRow | undefined {
  let best: PoolRow | undefined;
  for (const pool of pools) {
    if (pool.disabled || !containsAddress(pool.cidr, address)) continue;
    if (best === undefined || comparePoolsForBlock(pool, best) < 0) best = pool;
  }
  return best;
}

/** Pools by prefix, for many look-ups: each costs one masked look-up per distinct prefix length. */
export class PoolIndex<P extends PoolShape = PoolRow> {
  readonly #byPrefix: PrefixIndex<P>;

  constructor(pools: Iterable<P>) {
    this.#byPrefix = new PrefixIndex([...pools].sort((a, b) => compareCidrs(a.cidr, b.cidr)));
  }

  /** As {@link attributeBlock}. */
  ownerOf(block: Cidr): P | undefined {
    return bestOf(this.#byPrefix.containing(block.base, block.length), block.length);
  }

  /** Every pool that contains the address, disabled or not, wider ones first. */
  poolsOf(address: Address): readonly P[] {
    return this.#byPrefix.containing(address);
  }
}
