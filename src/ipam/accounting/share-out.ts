import type { PoolRow } from '../model/pool.ts';
import type { TrackedAllocation } from './allocation.ts';
import { type PoolCounts, addBlock, removeBlock } from './counts.ts';
import { type BlockSource, eachAddressOnce, overlapGroups } from './overlap.ts';
import { type Tally, addTally, emptyTally, tallyAllocation } from './tally.ts';
import type { TrackedBlock } from './tracked-blocks.ts';

/** Counts of the pool that owns a block, or of the blocks outside every pool. */
export type CountsOf = (owner: PoolRow | undefined) => PoolCounts | undefined;

const SOURCE: BlockSource<TrackedBlock, TrackedAllocation> = {
  allocationsIn: (block) => block.allocations,
  ownerOf: (block) => block.owner,
};

/**
 * Adds sorted blocks to the counts of their owners, or takes them out with sign -1. Whole groups of overlapping blocks
 * must be given, because such blocks are counted together.
 */
export function shareOut(blocks: readonly TrackedBlock[], sign: 1 | -1, countsOf: CountsOf): void {
  for (const group of overlapGroups(blocks)) {
    for (const block of group) {
      const counts = countsOf(block.owner);
      if (counts) (sign > 0 ? addBlock : removeBlock)(counts, block);
    }
    for (const [owner, tally] of talliesOf(group)) {
      const counts = countsOf(owner);
      if (counts) addTally(counts, tally, sign);
    }
  }
}

function talliesOf(
  group: readonly TrackedBlock[],
): Iterable<readonly [PoolRow | undefined, Tally]> {
  const [first] = group;
  if (first && group.length === 1) return [[first.owner, first.tally]];
  const tallies = new Map<PoolRow | undefined, Tally>();
  for (const { block, allocation } of eachAddressOnce(group, SOURCE)) {
    const tally = tallies.get(block.owner) ?? emptyTally();
    tallies.set(block.owner, tally);
    tallyAllocation(tally, allocation, block.isReserved);
  }
  return tallies;
}
