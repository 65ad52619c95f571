import type { Address } from '../../net/address.ts';
import { type Cidr, containsCidr } from '../../net/cidr.ts';
import { type PoolShape, comparePoolsForBlock } from './attribution.ts';

/** An allocation and the block that holds it. */
export interface Holding<B, A> {
  readonly block: B;
  readonly allocation: A;
}

/** Where {@link eachAddressOnce} finds what it needs to know of blocks. */
export interface BlockSource<B, A> {
  /** Allocations of a block, by ordinal. */
  readonly allocationsIn: (block: B) => Iterable<A>;
  /** Pool that owns the block, undefined for blocks outside every pool. */
  readonly ownerOf: (block: B) => PoolShape | undefined;
}

/**
 * Blocks that share addresses, together: each group is a block with everything inside it, which is nearly always the
 * block alone. `sorted` is in the order of `compareCidrs`.
 */
export function* overlapGroups<B extends { readonly cidr: Cidr }>(
  sorted: readonly B[],
): Iterable<readonly B[]> {
  let group: B[] = [];
  for (const block of sorted) {
    const [root] = group;
    if (root && !containsCidr(root.cidr, block.cidr)) {
      yield group;
      group = [];
    }
    group.push(block);
  }
  if (group.length > 0) yield group;
}

/**
 * The allocations of blocks with each address once, however many blocks hold it. Of several holders the one that
 * assigns the address comes before one where it cools down, then a pool's block before one outside every pool, then
 * the better pool's block, then block order. `sorted` is in the order of `compareCidrs`.
 *
 * Departs from upstream: there, overlapping blocks count an address once each.
 */
export function* eachAddressOnce<
  B extends { readonly cidr: Cidr },
  A extends { readonly address: Address; readonly cooling: boolean },
>(sorted: readonly B[], source: BlockSource<B, A>): Iterable<Holding<B, A>> {
  for (const group of overlapGroups(sorted)) {
    const [first] = group;
    if (group.length > 1) yield* distinctHoldings(group, source);
    else if (first)
      for (const allocation of source.allocationsIn(first)) yield { block: first, allocation };
  }
}

function distinctHoldings<B, A extends { readonly address: Address; readonly cooling: boolean }>(
  group: readonly B[],
  source: BlockSource<B, A>,
): Iterable<Holding<B, A>> {
  const holders = new Map<Address, Holding<B, A>>();
  const ranked = [...group].sort((a, b) => compareOwners(source.ownerOf(a), source.ownerOf(b)));
  for (const block of ranked) {
    for (const allocation of source.allocationsIn(block)) {
      const holder = holders.get(allocation.address);
      if (!holder || (holder.allocation.cooling && !allocation.cooling)) {
        holders.set(allocation.address, { block, allocation });
      }
    }
  }
  return holders.values();
}

function compareOwners(a: PoolShape | undefined, b: PoolShape | undefined): number {
  if (a && b) return comparePoolsForBlock(a, b);
  return a ? -1 : b ? 1 : 0;
}
