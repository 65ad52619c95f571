import { PoolIndex } from '../../ipam/accounting/attribution.ts';
import type { PoolRow } from '../../ipam/model/pool.ts';
import { type Cidr, cidrsOverlap, formatCidr } from '../../net/cidr.ts';
import { blockSubject } from '../claims.ts';
import { rule } from '../rule.ts';
import { counted, listed } from '../wording.ts';

type OutsideFacts = {
  readonly block: string;
  readonly owner?: string | undefined;
  /** Cooling addresses included. */
  readonly inUse: number;
  /** Pools that cover a part of the block. */
  readonly partlyIn: readonly string[];
};

/** A block that no pool covers. */
export const blockOutsidePools = rule<OutsideFacts>({
  code: 'block-outside-pools',
  severity: 'error',
  needs: ['IPAMBlock', 'IPPool'],
  title: 'A block outside every pool',
  why: 'No pool, enabled or not, covers the whole block: its pool was deleted while the block was still there. Routes, encapsulation and address translation follow pools, so its addresses may be cut off, and a new pool of the range meets them.',
  remedy:
    'Put the pool back, disabled if it is no longer wanted, or recreate the pods that use the block and let it go.',
  *evaluate(state) {
    const pools = new PoolIndex(state.pools);
    for (const block of state.blocks) {
      if (pools.ownerOf(block.cidr) !== undefined) continue;
      yield {
        subject: blockSubject(block),
        facts: {
          block: formatCidr(block.cidr),
          owner: block.affinity,
          inUse: block.inUse,
          partlyIn: touching(state.pools, block.cidr),
        },
      };
    }
  },
  reason: ({ block, inUse, partlyIn }) => {
    const held =
      inUse === 0 ? 'it holds no address' : `it holds ${counted(inUse, 'address', 'addresses')}`;
    const partly = partlyIn.length === 0 ? '' : `, only a part of it lies in ${listed(partlyIn)}`;
    return `No pool covers block ${block}${partly}; ${held}.`;
  },
  remedyFor: ({ block, inUse }) =>
    inUse > 0
      ? `Create a pool that covers ${block} (disabled, if nothing new is to come from it), or recreate the pods that use the block so that they get addresses of an existing pool.`
      : `Create a pool that covers ${block}, or delete the row of the block and its affinity row, since it is empty.`,
});

function touching(pools: readonly PoolRow[], block: Cidr): readonly string[] {
  return pools.filter(({ cidr }) => cidrsOverlap(cidr, block)).map(({ key }) => key.name);
}
