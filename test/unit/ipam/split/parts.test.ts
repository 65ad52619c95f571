import { expect } from 'chai';
import { isPartNumber, partCidr, partName } from '../../../../src/ipam/split/parts.ts';
import { formatCidr } from '../../../../src/net/cidr.ts';
import { net } from '../../../support/builders.ts';

describe('ipam/split/parts', () => {
  it('takes powers of two from 2 to 1,024', () => {
    const numbers = [...Array(4100).keys()].filter(isPartNumber);
    expect(numbers).to.deep.equal([2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]);
    expect([NaN, Infinity, -4, 2.5].some(isPartNumber)).to.equal(false);
  });

  const CASES = [
    ['10.9.0.0/22', 4, ['10.9.0.0/24', '10.9.1.0/24', '10.9.2.0/24', '10.9.3.0/24']],
    ['240.0.0.0/4', 2, ['240.0.0.0/5', '248.0.0.0/5']],
    ['fd00::/48', 2, ['fd00::/49', 'fd00:0:0:8000::/49']],
    ['ffff:ffff:ffff:ffff::/64', 2, ['ffff:ffff:ffff:ffff::/65', 'ffff:ffff:ffff:ffff:8000::/65']],
    ['fd00::/112', 4, ['fd00::/114', 'fd00::4000/114', 'fd00::8000/114', 'fd00::c000/114']],
  ] as const;
  for (const [pool, number, parts] of CASES) {
    it(`cuts ${pool} into ${parts.join(', ')}`, () => {
      const cut = [...Array(number).keys()].map((at) =>
        formatCidr(partCidr(net(pool), number, at)),
      );
      expect(cut).to.deep.equal(parts);
    });
  }

  it('names parts by index, within 253 characters at any width of it', () => {
    expect(partName('main', 4, 3)).to.equal('split-main-3');
    for (const length of [240, 243, 244, 245, 246, 247, 253]) {
      for (const number of [2, 16, 128, 1024]) {
        const names = [0, number - 1].map((index) => partName('p'.repeat(length), number, index));
        for (const name of names) expect(name.length).to.be.at.most(253);
        expect(new Set(names).size).to.equal(2);
      }
    }
  });

  it('keeps the names of long pools apart, and valid where the cut meets a dot', () => {
    const long = 'p'.repeat(252);
    expect(partName(`${long}a`, 4, 0)).to.not.equal(partName(`${long}b`, 4, 0));
    const dotted = partName(`${'p.'.repeat(126)}p`, 4, 0);
    expect(dotted).to.match(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/);
  });
});
