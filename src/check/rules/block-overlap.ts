import { PoolIndex } from '../../ipam/accounting/attribution.ts';
import type { Block, ClusterState } from '../../ipam/state/cluster-state.ts';
import { cidrSize, formatCidr } from '../../net/cidr.ts';
import { blockSubject } from '../claims.ts';
import { rule } from '../rule.ts';

type OverlapFacts = {
  /** Both blocks in order of address, the wider one first where they begin together. */
  readonly blocks: readonly {
    readonly block: string;
    readonly row: string;
    readonly owner?: string | undefined;
    /** Whether it has the size of its pool; absent where pools were not read, or none covers it. */
    readonly fitsPool?: boolean | undefined;
  }[];
  /** What they share: the narrower of the two. */
  readonly shared: string;
  readonly sharedAddresses: bigint;
  /** Addresses that both hold, cooling ones included. */
  readonly heldTwice: number;
};

/** Two blocks that share addresses. */
export const blockOverlap = rule<OverlapFacts>({
  code: 'block-overlap',
  severity: 'error',
  needs: ['IPAMBlock'],
  title: 'Two blocks share addresses',
  why: 'Each block gives out its addresses without looking at the other, so two workloads can get the same one. It comes from a pool whose block size was changed while blocks of the old size were left.',
  remedy:
    'Move the workloads off the block whose size is not that of its pool, release what is left in it, and let it go. Name the block with `ipamctl ipam release --ip ADDRESS --block CIDR` where an address is in both.',
  *evaluate(state) {
    const pools = new PoolIndex(state.pools);
    for (const block of state.blocks) {
      for (const other of state.blocksOverlapping(block.cidr)) {
        // Each pair once: with the block that comes first.
        if (other.index <= block.index) continue;
        yield { subject: blockSubject(block), facts: factsOf(state, pools, [block, other]) };
      }
    }
  },
  reason: ({ blocks, shared, sharedAddresses, heldTwice }) => {
    const names = blocks.map(({ block, owner }) => `${block} (${owner ?? 'no owner'})`);
    const twice =
      heldTwice === 0
        ? ''
        : `; ${heldTwice} of them ${heldTwice === 1 ? 'is' : 'are'} held in both`;
    return `Blocks ${names.join(' and ')} share the ${sharedAddresses} addresses of ${shared}${twice}.`;
  },
  remedyFor: ({ blocks, heldTwice }) => {
    const misfits = blocks.filter(({ fitsPool }) => fitsPool === false);
    const [misfit] = misfits;
    const goes =
      misfit !== undefined && misfits.length === 1
        ? `Recreate the pods that use ${misfit.block}, which has not the size of its pool, and let it go once it is empty.`
        : `Recreate the pods that use one of ${blocks.map(({ block }) => block).join(' and ')}, and let it go once it is empty.`;
    const release =
      heldTwice === 0
        ? ''
        : ' An address that both hold is released with `ipamctl ipam release --ip ADDRESS --block CIDR`.';
    return `${goes}${release}`;
  },
});

function factsOf(
  state: ClusterState,
  pools: PoolIndex,
  [first, second]: readonly [Block, Block],
): OverlapFacts {
  const narrower = second.cidr.length >= first.cidr.length ? second : first;
  return {
    blocks: [first, second].map((block) => ({
      block: formatCidr(block.cidr),
      row: block.key.name,
      owner: block.affinity,
      fitsPool: fitsPool(pools, block),
    })),
    shared: formatCidr(narrower.cidr),
    sharedAddresses: cidrSize(narrower.cidr),
    heldTwice: heldByBoth(state, narrower, narrower === first ? second : first),
  };
}

function heldByBoth(state: ClusterState, narrower: Block, wider: Block): number {
  let count = 0;
  for (const { address } of state.allocationsIn(narrower)) {
    if (state.allocationsAt(address).some(({ block }) => block.index === wider.index)) count++;
  }
  return count;
}

function fitsPool(pools: PoolIndex, block: Block): boolean | undefined {
  const pool = pools.ownerOf(block.cidr);
  return pool && pool.blockSize === block.cidr.length;
}
