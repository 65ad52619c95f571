import type { AddressSet } from '../../net/address-set.ts';
import type { PoolRow } from '../model/pool.ts';
import type { Allocation, Block, ClusterState } from '../state/cluster-state.ts';
import { PoolIndex } from './attribution.ts';
import {
  type BlockCounts,
  type PoolCounts,
  addBlock,
  countBlockAddresses,
  emptyCounts,
} from './counts.ts';
import { type Holding, eachAddressOnce } from './overlap.ts';
import { reservedSet, reservedTest } from './reserved-set.ts';
import { tallyAllocation } from './tally.ts';

/** Counts of a pool and the blocks that belong to it. */
export interface PoolUsage {
  readonly pool: PoolRow;
  readonly counts: PoolCounts;
  readonly blocks: readonly Block[];
}

/** What a cluster's addresses are used for, counted once from its state. */
export interface Usage {
  /** In the order of the state: by name. */
  readonly pools: readonly PoolUsage[];
  /** Blocks that no pool covers. */
  readonly outside: { readonly counts: PoolCounts; readonly blocks: readonly Block[] };
  readonly reserved: AddressSet;
  /** Pool that owns the block. */
  readonly ownerOf: (block: Block) => PoolRow | undefined;
}

/** Counts the whole state: the arithmetic of show, check and metrics. */
export function countUsage(state: ClusterState): Usage {
  const reserved = reservedSet(state.reservations);
  const owners = ownersOfBlocks(state);
  const ownerOf = (block: Block) => owners[block.index];
  const pools = new Map(state.pools.map((pool) => [pool, startPool(pool, reserved)]));
  const outside = { counts: emptyCounts(), blocks: [] as Block[] };
  const shares = owners.map((owner) => (owner && pools.get(owner)) ?? outside);
  for (const [index, block] of state.blocks.entries()) {
    const share = shares[index] ?? outside;
    share.blocks.push(block);
    addBlock(share.counts, block);
  }
  const reservedTests = state.blocks.map((block) => reservedTest(reserved, block.cidr));
  for (const { block, allocation } of holdings(state, ownerOf)) {
    const { counts } = shares[block.index] ?? outside;
    tallyAllocation(counts, allocation, reservedTests[block.index]);
  }
  return { pools: [...pools.values()], outside, reserved, ownerOf };
}

/** Every allocated address of the state once, with the block that counts for it, in block order. */
export function holdings(
  state: ClusterState,
  ownerOf: (block: Block) => PoolRow | undefined,
): Iterable<Holding<Block, Allocation>> {
  return eachAddressOnce(state.blocks, {
    allocationsIn: (block) => state.allocationsIn(block),
    ownerOf,
  });
}

/** Counts of one block of a state; addresses that another block holds too count here as well. */
export function countBlockOf(state: ClusterState, block: Block, reserved: AddressSet): BlockCounts {
  return countBlockAddresses(block.cidr, state.allocationsIn(block), reserved);
}

function ownersOfBlocks(state: ClusterState): readonly (PoolRow | undefined)[] {
  const index = new PoolIndex(state.pools);
  return state.blocks.map((block) => index.ownerOf(block.cidr));
}

function startPool(pool: PoolRow, reserved: AddressSet) {
  const counts = emptyCounts(pool);
  counts.reserved = reserved.sizeWithin(pool.cidr);
  return { pool, counts, blocks: [] as Block[] };
}
