import { bitsOf } from '../../net/address.ts';
import { type Cidr, cidrFamily, cidrSize } from '../../net/cidr.ts';
import type { AddressSet } from '../../net/address-set.ts';
import { nodeOfAffinity } from '../model/block.ts';
import type { CountedAllocation } from './allocation.ts';
import { reservedTest } from './reserved-set.ts';
import { type Tally, addToKey, copyTally, emptyTally, tallyAllocation } from './tally.ts';

/** Counts of a pool, or of the blocks outside every pool (whose total, reserved and totalBlocks are 0). */
export interface PoolCounts extends Tally {
  /** Addresses in the pool's prefix, network and broadcast included. */
  total: bigint;
  /** Addresses of the prefix that some reservation covers, allocated or not, in a block or not. */
  reserved: bigint;
  /** Blocks that the pool can be cut into. */
  totalBlocks: bigint;
  /** Blocks that belong to the pool. */
  blocksInUse: number;
  /** Blocks without an owner. */
  noAffinity: number;
  /** Blocks of a virtual owner. */
  virtualAffinity: number;
  /** Blocks per owning node. Damaged affinity texts fall in none of the three classes. */
  readonly blocksByNode: Map<string, number>;
}

/** Counts of one block. */
export interface BlockCounts {
  readonly total: bigint;
  readonly inUse: number;
  readonly cooling: number;
  readonly borrowed: number;
  readonly reserved: bigint;
  readonly inUseReserved: number;
}

/** What a block says about its owner. */
export interface OwnedBlock {
  readonly affinity: string | undefined;
}

/** Counts that start at nothing; with a pool's prefix and block size they know its space. */
export function emptyCounts(space?: {
  readonly cidr: Cidr;
  readonly blockSize: number;
}): PoolCounts {
  return {
    ...emptyTally(),
    total: space ? cidrSize(space.cidr) : 0n,
    reserved: 0n,
    totalBlocks: space ? possibleBlocks(space.cidr, space.blockSize) : 0n,
    blocksInUse: 0,
    noAffinity: 0,
    virtualAffinity: 0,
    blocksByNode: new Map(),
  };
}

/** A copy that shares nothing with the original. */
export function copyCounts(counts: PoolCounts): PoolCounts {
  return { ...counts, ...copyTally(counts), blocksByNode: new Map(counts.blocksByNode) };
}

/** Blocks of this size that fit in a prefix; a block that is not smaller than the prefix counts as one. */
export function possibleBlocks(cidr: Cidr, blockSize: number): bigint {
  const size = Math.min(blockSize, bitsOf(cidrFamily(cidr)));
  return size <= cidr.length ? 1n : 1n << BigInt(size - cidr.length);
}

/** Counts a block under its owner. Its addresses are counted by a tally. */
export function addBlock(counts: PoolCounts, block: OwnedBlock): void {
  countBlock(counts, block, 1);
}

/** Takes a block out again; the exact inverse of {@link addBlock}. */
export function removeBlock(counts: PoolCounts, block: OwnedBlock): void {
  countBlock(counts, block, -1);
}

function countBlock(counts: PoolCounts, { affinity }: OwnedBlock, by: 1 | -1): void {
  counts.blocksInUse += by;
  const node = nodeOfAffinity(affinity);
  if (affinity === undefined) counts.noAffinity += by;
  else if (affinity.startsWith('virtual:')) counts.virtualAffinity += by;
  else if (node !== undefined) addToKey(counts.blocksByNode, node, by);
}

/** Counts the addresses of one block. */
export function countBlockAddresses(
  cidr: Cidr,
  allocations: Iterable<CountedAllocation>,
  reserved: AddressSet,
): BlockCounts {
  const tally = emptyTally();
  const isReserved = reservedTest(reserved, cidr);
  for (const allocation of allocations) tallyAllocation(tally, allocation, isReserved);
  const { inUse, cooling, borrowed, inUseReserved } = tally;
  const total = cidrSize(cidr);
  return { total, inUse, cooling, borrowed, reserved: reserved.sizeWithin(cidr), inUseReserved };
}

/** Addresses held by somebody now: in use without those that cool down. */
export function assignedOf(counts: Pick<Tally, 'inUse' | 'cooling'>): number {
  return counts.inUse - counts.cooling;
}

/** What {@link freeOf} is made of. */
export interface FreeFacts {
  readonly total: bigint;
  readonly reserved: bigint;
  readonly inUse: number;
  readonly inUseReserved: number;
}

/**
 * Addresses neither in use nor reserved, from 0, exact at any size. Never derive it from two columns: addresses may be
 * in use and reserved at once.
 * Source: Calico libcalico-go lib/ipam/accounting counts.go.
 */
export function freeOf(counts: FreeFacts): bigint {
  const free = counts.total - occupiedOf(counts);
  return free > 0n ? free : 0n;
}

/** Addresses in use or reserved, those that are both counted once. */
export function occupiedOf(counts: Omit<FreeFacts, 'total'>): bigint {
  return counts.reserved + BigInt(counts.inUse - counts.inUseReserved);
}

/** Blocks whose owner is a host that is not among the known nodes. */
export function staleBlocks(
  counts: Pick<PoolCounts, 'blocksByNode'>,
  isNode: (name: string) => boolean,
): number {
  let stale = 0;
  for (const [node, blocks] of counts.blocksByNode) if (!isNode(node)) stale += blocks;
  return stale;
}
