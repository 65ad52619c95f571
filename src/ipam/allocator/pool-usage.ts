import { AddressSet } from '../../net/address-set.ts';
import {
  type Cidr,
  cidrFamily,
  cidrsEqual,
  cidrsOverlap,
  cidrSize,
  parseCidr,
} from '../../net/cidr.ts';
import type { BlockRow } from '../model/block.ts';
import type { PoolRow } from '../model/pool.ts';
import { addressOfOrdinal, blockLength } from './block-content.ts';

/** Addresses of a pool or block. In use and reserved may overlap, so what is free is not their difference. */
export interface Usage {
  readonly capacity: bigint;
  /** Whatever is not in the free queue: assigned, cooling, and kept by the host. */
  readonly inUse: bigint;
  /** Covered by a reservation, assigned or not. */
  readonly reserved: bigint;
  /** What an automatic assignment could still take. */
  readonly available: bigint;
}

/** Usage of one block. */
export interface BlockUsage extends Usage {
  readonly cidr: Cidr;
}

/** Usage of one pool. */
export interface PoolUsage extends Usage {
  readonly name: string;
  readonly cidr: Cidr;
  readonly blocks: readonly BlockUsage[];
}

/** Name of the entry that takes the blocks which belong to no pool. */
export const ORPHANED_BLOCKS = 'orphaned allocation blocks';

/** Counts end here, as they do for Calico. */
const LARGEST_COUNT = 2n ** 63n - 1n;

/** What to count. */
export interface UsageInput {
  /** In the order of the answer. */
  readonly pools: readonly PoolRow[];
  readonly blocks: readonly BlockRow[];
  readonly reserved: AddressSet;
  /** Names or prefixes of pools; what is no pool is left out. None for all, and then blocks without a pool come last. */
  readonly wanted?: readonly string[] | undefined;
}

/**
 * How full pools and their blocks are, from rows as they are: cooldowns that have passed are not taken into account.
 *
 * Source: Calico libcalico-go lib/ipam, GetUtilization.
 */
export function poolUsages({
  pools,
  blocks,
  reserved,
  wanted = [],
}: UsageInput): readonly PoolUsage[] {
  const shown =
    wanted.length === 0
      ? pools
      : pools.filter((pool) => wanted.some((text) => isMeant(pool, text)));
  const members = new Map<PoolRow | undefined, BlockRow[]>();
  for (const block of blocks) {
    const pool = shown.find(({ cidr }) => cidrsOverlap(cidr, block.cidr));
    const list = members.get(pool);
    if (list) list.push(block);
    else members.set(pool, [block]);
  }
  const usages = shown.map((pool) => poolUsage(pool, members.get(pool) ?? [], reserved));
  return wanted.length > 0
    ? usages
    : [...usages, orphanUsage(members.get(undefined) ?? [], reserved)];
}

function isMeant({ key, cidr }: PoolRow, text: string): boolean {
  const prefix = parseCidr(text);
  return prefix ? cidrsEqual(prefix, cidr) : key.name === text;
}

function poolUsage(
  { key, cidr }: PoolRow,
  blocks: readonly BlockRow[],
  reserved: AddressSet,
): PoolUsage {
  const usages = blocks.map((block) => blockUsage(block, reserved));
  const unclaimed = AddressSet.of([cidr])
    .subtract(reserved)
    .subtract(AddressSet.of(blocks.map((block) => block.cidr)));
  return {
    name: key.name,
    cidr,
    capacity: capped(cidrSize(cidr)),
    inUse: capped(usages.reduce((sum, usage) => sum + usage.inUse, 0n)),
    reserved: capped(reserved.sizeWithin(cidr)),
    available: capped(usages.reduce((sum, usage) => sum + usage.available, unclaimed.size)),
    blocks: usages,
  };
}

/** Only IPv4 blocks are shown without a pool, and no totals. */
function orphanUsage(blocks: readonly BlockRow[], reserved: AddressSet): PoolUsage {
  return {
    name: ORPHANED_BLOCKS,
    cidr: parseCidr('0.0.0.0/0') as Cidr,
    capacity: 0n,
    inUse: 0n,
    reserved: 0n,
    available: 0n,
    blocks: blocks
      .filter(({ cidr }) => cidrFamily(cidr) === 4)
      .map((block) => blockUsage(block, reserved)),
  };
}

/** Usage of one block, from the row as it is. */
export function blockUsage(block: BlockRow, reserved: AddressSet): BlockUsage {
  const size = blockLength(block);
  const free = block.unallocated.filter(
    (ordinal) => !reserved.contains(addressOfOrdinal(block, ordinal)),
  );
  return {
    cidr: block.cidr,
    capacity: BigInt(size),
    inUse: BigInt(size - block.unallocated.length),
    reserved: reserved.sizeWithin(block.cidr),
    available: BigInt(free.length),
  };
}

function capped(count: bigint): bigint {
  return count > LARGEST_COUNT ? LARGEST_COUNT : count;
}
