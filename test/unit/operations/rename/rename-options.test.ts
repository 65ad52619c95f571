import { expect } from 'chai';
import { nameMapFrom } from '../../../../src/operations/rename/rename-options.ts';

async function statusOf(work: () => unknown): Promise<number | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return (error as { readonly status: number }).status;
  }
}

describe('operations/rename-options', () => {
  it('takes two names, or those of a map', () => {
    expect([...nameMapFrom({ old: 'a', new: 'b' })]).to.deep.equal([['a', 'b']]);
    const pairs = [
      ['a', 'b'],
      ['b', 'a'],
    ] as const;
    expect([...nameMapFrom({ pairs })]).to.deep.equal(pairs);
  });

  it('refuses as misuse what names nobody, nothing new, or one name twice', async () => {
    for (const misuse of [
      {},
      { old: 'a' },
      { old: 'a', new: 'a' },
      { old: '', new: 'a' },
      { old: 'a', new: '' },
      { old: 'a', new: 'b', pairs: [['c', 'd']] },
      { pairs: [] },
      {
        pairs: [
          ['a', 'c'],
          ['b', 'c'],
        ],
      },
      {
        pairs: [
          ['a', 'b'],
          ['a', 'c'],
        ],
      },
      { pairs: [['', 'c']] },
    ] as const)
      expect(await statusOf(() => nameMapFrom(misuse)), JSON.stringify(misuse)).to.equal(2);
  });
});
