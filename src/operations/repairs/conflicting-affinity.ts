import { isSameOwner, ownerOfAffinity } from '../../ipam/block-owner.ts';
import { parseCidr } from '../../net/cidr.ts';
import { keptByWorkload } from './live-in-range.ts';
import { already, harmless, refusal, repair } from './repair.ts';

interface ConflictFacts {
  readonly row: string;
  readonly block: string;
  readonly host: string;
  readonly contradicts: 'block' | 'row';
  readonly blockExists: boolean;
  readonly owner?: string | undefined;
  readonly inUse: number;
  readonly young: boolean;
}

/** Deletes the row that contradicts the block, or the lesser of two rows that claim it. */
export const conflictingAffinity = repair<ConflictFacts>({
  code: 'conflicting-affinity',
  action: 'delete-affinity',
  precondition: 'still in contradiction to the block',
  keyOf: ({ facts }) => `block ${facts.block}`,
  keep({ facts }, { state }) {
    if (facts.young)
      return harmless('it was made only just now, and a claim that lost takes its row back');
    if (facts.contradicts === 'block' && facts.owner === undefined && facts.inUse > 0) {
      return refusal('the block has no owner and holds addresses, so nobody knows whose it is');
    }
    const cidr = parseCidr(facts.block);
    return cidr === undefined
      ? refusal('its block cannot be read')
      : keptByWorkload(state, facts.host, cidr);
  },
  async apply({ facts }, { access, writer, attempt }) {
    const row = await access.read('BlockAffinity', { name: facts.row }, attempt);
    if (row === undefined || row.deleted) return already('the row is gone');
    if (facts.contradicts === 'block') {
      const block = await access.read('IPAMBlock', writer.keys.block(row.cidr), attempt);
      const owner = ownerOfAffinity(block?.affinity);
      if (owner !== undefined && isSameOwner(owner, row))
        return harmless('the block is its own now');
    }
    await writer.remove(row, { action: 'delete-affinity' });
    return undefined;
  },
});
