import { parseCidr } from '../../net/cidr.ts';
import { keptByWorkload } from './live-in-range.ts';
import { already, harmless, refusal, repair } from './repair.ts';

interface StrayFacts {
  readonly row: string;
  readonly block: string;
  readonly host: string;
}

/** Deletes an affinity row whose block does not exist. */
export const affinityWithoutBlock = repair<StrayFacts>({
  code: 'affinity-without-block',
  action: 'delete-affinity',
  precondition: 'still without block',
  keyOf: ({ facts }) => `block ${facts.block}`,
  keep({ facts }, { state }) {
    const cidr = parseCidr(facts.block);
    return cidr === undefined
      ? refusal('its block cannot be read')
      : keptByWorkload(state, facts.host, cidr);
  },
  async apply({ facts }, { access, writer, attempt }) {
    const row = await access.read('BlockAffinity', { name: facts.row }, attempt);
    if (row === undefined || row.deleted) return already('the row is gone');
    const block = await access.read('IPAMBlock', writer.keys.block(row.cidr));
    if (block !== undefined && !block.deleted) return harmless('its block exists now');
    await writer.remove(row, { action: 'delete-affinity' });
    return undefined;
  },
});
