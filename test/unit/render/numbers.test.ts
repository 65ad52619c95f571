import { expect } from 'chai';
import {
  countOf,
  fiveDigits,
  groupDigits,
  percentOf,
  roundedCount,
} from '../../../src/render/numbers.ts';

describe('render/numbers', () => {
  it('groups the digits of integers of any size', () => {
    expect(groupDigits(0)).to.equal('0');
    expect(groupDigits(999)).to.equal('999');
    expect(groupDigits(65536)).to.equal('65,536');
    expect(groupDigits(1n << 80n)).to.equal('1,208,925,819,614,629,174,706,176');
  });

  const fives: readonly (readonly [bigint, string])[] = [
    [0n, '0'],
    [64n, '64'],
    [65536n, '65536'],
    [99999n, '99999'],
    [100000n, '1e+05'],
    [131072n, '1.3107e+05'],
    [1048576n, '1.0486e+06'],
    [(1n << 63n) - 1n, '9.2234e+18'],
    [1n << 80n, '1.2089e+24'],
    [999995n, '1e+06'],
    [100005n, '1e+05'],
    [100015n, '1.0002e+05'],
  ];
  for (const [value, text] of fives) {
    it(`spells ${value} with five digits as ${text}`, () => {
      expect(fiveDigits(value)).to.equal(text);
    });
  }

  it('rounds only what has more than fifteen digits', () => {
    expect(roundedCount(999_999_999_999_999n)).to.equal('999,999,999,999,999');
    expect(roundedCount(10n ** 15n)).to.equal('1e+15');
  });

  const percents: readonly (readonly [number | bigint, number | bigint, string])[] = [
    [1, 8, '12'],
    [3, 8, '38'],
    [5, 8, '62'],
    [1, 200, '0'],
    [3, 200, '2'],
    [8, 8, '100'],
    [0, 0, '0'],
    [65523n, 65536n, '100'],
    [(1n << 80n) - 1n, 1n << 80n, '100'],
  ];
  for (const [part, total, text] of percents) {
    it(`gives ${part} of ${total} as ${text} percent`, () => {
      expect(percentOf(part, total)).to.equal(text);
    });
  }

  it('counts nouns', () => {
    expect([countOf(0, 'block'), countOf(1, 'block'), countOf(2000n, 'block')]).to.deep.equal([
      '0 blocks',
      '1 block',
      '2,000 blocks',
    ]);
    expect(countOf(2, 'address', 'addresses')).to.equal('2 addresses');
  });
});
