import { parseCidr, formatCidr } from '../../net/cidr.ts';
import { blockSubject } from '../claims.ts';
import { blockReferencesOf } from '../rests-on.ts';
import { rule } from '../rule.ts';
import { counted } from '../wording.ts';

type UnownedFacts = {
  readonly block: string;
  readonly row: string;
  readonly cooling: number;
  /** The block breaks a structural rule, so what it holds is not fully known. */
  readonly damaged: boolean;
};

/** A block that belongs to nobody and holds nothing. */
export const unownedEmptyBlock = rule<UnownedFacts>({
  code: 'unowned-empty-block',
  severity: 'warning',
  needs: ['IPAMBlock'],
  title: 'An empty block without owner',
  why: 'Nobody owns the block and nothing is assigned in it, so it serves nobody, yet no node can claim its range. A block without owner is only right while it holds addresses.',
  remedy: 'Delete it with `ipamctl ipam repair --only unowned-empty-block`.',
  *evaluate(state) {
    for (const block of state.blocks) {
      if (block.affinity !== undefined || block.inUse > block.cooling) continue;
      yield {
        subject: blockSubject(block),
        facts: {
          block: formatCidr(block.cidr),
          row: block.key.name,
          cooling: block.cooling,
          damaged: block.defects.length > 0,
        },
      };
    }
  },
  reason: ({ block, cooling }) =>
    cooling === 0
      ? `Block ${block} has no owner and holds no address.`
      : `Block ${block} has no owner and holds nothing but ${counted(cooling, 'cooling address', 'cooling addresses')}.`,
  remedyFor: ({ block, row, cooling, damaged }) => {
    if (damaged)
      return `Block ${block} is damaged too: look at its finding invalid-block, and delete row ${row} by hand once it is sure that no pod uses the range.`;
    return cooling === 0
      ? 'Delete it with `ipamctl ipam repair --only unowned-empty-block`.'
      : 'Wait until the addresses have cooled, return them with `ipamctl ipam repair --only cooldown-expired`, then delete the block with `ipamctl ipam repair --only unowned-empty-block`.';
  },
  restsOn: ({ facts }, state) => {
    const cidr = parseCidr(facts.block);
    return cidr === undefined ? [] : blockReferencesOf(state, cidr);
  },
});
