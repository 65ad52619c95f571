import { expect } from 'chai';
import { shownUid } from '../../../../src/ipam/model/uid.ts';

const vectors: Record<string, string> = {
  '30316465-6365-4463-ad63-3564622d3638': '0c8c26a6-c6a6-44c6-adc6-ac2646b46c1c',
  '41cb1fde-57e7-42c1-a73b-0acaf38c7737': '82d3f87b-eae7-4283-a7dc-5053cf31eeec',
  '123e4567-e89b-42d3-a456-426614174000': '487ca2e6-17d9-42cb-a46a-426628e80200',
  '0f1e2d3c-4b5a-4697-8877-665544332211': 'f078b43c-d25a-46e9-88ee-66aa22cc4488',
  '00000000-0000-4000-8000-000000000001': '00000000-0000-4000-8000-000000000080',
};

describe('ipam/model/uid', () => {
  for (const [stored, shown] of Object.entries(vectors)) {
    it(`shows ${stored} as ${shown}, and back`, () => {
      expect(shownUid(stored)).to.equal(shown);
      expect(shownUid(shown)).to.equal(stored);
    });
  }

  it('leaves what is no UUID alone', () => {
    expect(shownUid('not-a-uuid')).to.equal('not-a-uuid');
  });
});
