import type { Block } from '../../ipam/state/cluster-state.ts';
import { formatCidr } from '../../net/cidr.ts';
import { blockSubject } from '../claims.ts';
import { rule } from '../rule.ts';

type InvalidFacts = {
  readonly block: string;
  readonly row: string;
  /** Every defect, as sentence parts. */
  readonly defects: readonly string[];
  /** Soundly allocated addresses, cooling ones included; they are judged as ever. */
  readonly inUse: number;
};

/** A block whose slots, free list and attributes contradict each other. */
export const invalidBlock = rule<InvalidFacts>({
  code: 'invalid-block',
  severity: 'error',
  needs: ['IPAMBlock'],
  title: 'A damaged block',
  why: 'The slots, the free list and the attributes of a block must fit each other: one slot an address, each slot either free or pointing to an attribute. Where they do not, an address can be given out twice, or never again.',
  remedy:
    'No command mends the inside of a block. Take a copy with `ipamctl datastore snapshot`, move the workloads off the block, then delete its row.',
  *evaluate(state) {
    for (const block of state.blocks) {
      if (block.defects.length > 0) yield { subject: blockSubject(block), facts: factsOf(block) };
    }
  },
  reason: ({ block, defects }) => `Block ${block} is damaged: ${defects.join('; ')}.`,
  remedyFor: ({ block, row, inUse }) =>
    inUse > 0
      ? `No command mends the inside of a block. Take a copy with \`ipamctl datastore snapshot\`, see with \`ipamctl ipam show --show-blocks\` what ${block} holds, recreate the pods that use it, and delete row ${row} once nothing does.`
      : `No command mends the inside of a block. Take a copy with \`ipamctl datastore snapshot\`, make sure that no pod uses an address of ${block}, then delete row ${row}.`,
});

function factsOf(block: Block): InvalidFacts {
  return {
    block: formatCidr(block.cidr),
    row: block.key.name,
    defects: block.defects,
    inUse: block.inUse,
  };
}
