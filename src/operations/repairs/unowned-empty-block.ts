import { isSound } from '../../ipam/allocator/block-content.ts';
import { harmless, already, refusal, repair } from './repair.ts';

interface UnownedFacts {
  readonly block: string;
  readonly row: string;
  readonly cooling: number;
  readonly damaged: boolean;
}

/** Deletes a block that belongs to nobody and holds nothing. */
export const unownedEmptyBlock = repair<UnownedFacts>({
  code: 'unowned-empty-block',
  action: 'delete-block',
  precondition: 'still without owner and empty',
  keyOf: ({ facts }) => `block ${facts.block}`,
  keep({ facts: { damaged, cooling } }) {
    if (damaged) return refusal('it is damaged, so nobody knows what it holds');
    return cooling > 0 ? refusal('it cools an address') : undefined;
  },
  async apply({ facts }, { access, writer, attempt }) {
    const row = await access.read('IPAMBlock', { name: facts.row }, attempt);
    if (row === undefined || row.deleted) return already('it is gone');
    if (!isSound(row)) return refusal('it is damaged, so nobody knows what it holds');
    const isEmpty = row.allocations.every((index) => index === null);
    if (row.affinity !== undefined || !isEmpty)
      return harmless('it has an owner or an address again');
    await writer.remove(row, { action: 'delete-block' });
    return undefined;
  },
});
