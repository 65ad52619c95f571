import { expect } from 'chai';
import { etcdSource, exported, fileOf } from '../../../support/export-world.ts';
import {
  contentOf,
  expectedContent,
  lockedEntries,
  RECORDED,
} from '../../../support/recorded-migrations.ts';

describe('operations/export of recorded migrations', () => {
  it('has recordings to compare with', () => {
    expect(RECORDED).to.have.lengthOf(4);
  });

  for (const name of RECORDED) {
    it(`writes what calicoctl writes, apart from what is healed: ${name}`, async () => {
      const ours = fileOf(await exported(etcdSource(lockedEntries(name))));
      expect(contentOf(ours)).to.deep.equal(expectedContent(name).toSorted());
    });
  }
});
