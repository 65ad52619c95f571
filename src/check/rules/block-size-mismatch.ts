import { PoolIndex } from '../../ipam/accounting/attribution.ts';
import { formatCidr } from '../../net/cidr.ts';
import { blockSubject } from '../claims.ts';
import { rule } from '../rule.ts';
import { counted } from '../wording.ts';

type SizeFacts = {
  readonly block: string;
  readonly pool: string;
  /** Prefix lengths. */
  readonly blockSize: number;
  readonly poolBlockSize: number;
  /** Cooling addresses included. */
  readonly inUse: number;
};

/** A block whose size is not that of its pool. */
export const blockSizeMismatch = rule<SizeFacts>({
  code: 'block-size-mismatch',
  severity: 'error',
  needs: ['IPAMBlock', 'IPPool'],
  title: 'A block of another size than its pool gives',
  why: 'Calico cuts all blocks of a pool to one size. A block of another size is left from a pool that was made anew; nodes claim blocks of the new size beside it, and the two can overlap.',
  remedy:
    'Recreate the pods that use the block so that they get addresses of a right one, then let the empty block go.',
  *evaluate(state) {
    const pools = new PoolIndex(state.pools);
    for (const block of state.blocks) {
      const pool = pools.ownerOf(block.cidr);
      if (pool === undefined || pool.blockSize === block.cidr.length) continue;
      yield {
        subject: blockSubject(block),
        facts: {
          block: formatCidr(block.cidr),
          pool: pool.key.name,
          blockSize: block.cidr.length,
          poolBlockSize: pool.blockSize,
          inUse: block.inUse,
        },
      };
    }
  },
  reason: ({ block, pool, blockSize, poolBlockSize }) =>
    `Block ${block} is a /${blockSize}, but the blocks of its pool ${pool} are /${poolBlockSize}.`,
  remedyFor: ({ block, inUse }) =>
    inUse > 0
      ? `Recreate the pods that use the ${counted(inUse, 'address', 'addresses')} of ${block}, so that they get addresses of a block of the right size; Calico gives the block up once it is empty.`
      : `Block ${block} is empty: Calico gives it up when its owner does; if it stays, delete its row and its affinity row.`,
});
