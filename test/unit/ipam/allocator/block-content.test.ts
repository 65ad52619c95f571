import { expect } from 'chai';
import { DataError } from '../../../../src/errors/data-error.ts';
import { findOrAddRecord } from '../../../../src/ipam/allocator/attribute-records.ts';
import {
  assertSound,
  countFree,
  isEmptyBlock,
  isSound,
} from '../../../../src/ipam/allocator/block-content.ts';
import type { BlockRow } from '../../../../src/ipam/model/block.ts';
import { aBlock, coolingSlot, ip, podSlot, windowsSlot } from '../../../support/builders.ts';

const sound = aBlock('10.0.0.0/30', { 1: podSlot('shop/a', 'node-a') });

describe('ipam/allocator/block-content', () => {
  it('calls a block empty that holds nothing, or only what Windows reserves', () => {
    expect(isEmptyBlock(aBlock('10.0.0.0/30'))).to.equal(true);
    expect(isEmptyBlock(aBlock('10.0.0.0/30', { 0: windowsSlot() }))).to.equal(true);
    expect(isEmptyBlock(sound)).to.equal(false);
    expect(isEmptyBlock(aBlock('10.0.0.0/30', { 0: coolingSlot() }))).to.equal(false);
  });

  it('counts what an assignment could take', () => {
    expect(countFree(sound)).to.equal(3);
    expect(countFree(sound, (address) => address === ip('10.0.0.2'))).to.equal(2);
  });

  const damages: Readonly<Record<string, Partial<BlockRow>>> = {
    'a list of slots that is too short': { allocations: [null, 0, null] },
    'a slot that is no number': { allocations: [NaN, 0, null, null] },
    'a slot without a record': { allocations: [3, 0, null, null] },
    'a slot before the records': { allocations: [-1, 0, null, null] },
    'a free ordinal that is taken': { unallocated: [0, 1, 2, 3] },
    'a free ordinal twice': { unallocated: [0, 2, 2, 3] },
    'a free ordinal beyond the block': { unallocated: [0, 2, 3, 4] },
    'a free ordinal that is no number': { unallocated: [NaN, 2, 3] },
    'a field of another type': { misreadings: ['affinityClaimTime is no time'] },
  };
  for (const [name, damage] of Object.entries(damages)) {
    it(`refuses ${name}`, () => {
      expect(isSound({ ...sound, ...damage })).to.equal(false);
      expect(() => assertSound({ ...sound, ...damage })).to.throw(DataError, '10.0.0.0/30');
    });
  }

  it('takes a sound block, and one that only lost a free ordinal', () => {
    expect(isSound(sound)).to.equal(true);
    expect(isSound({ ...sound, unallocated: [0, 2] })).to.equal(true);
  });
});

describe('ipam/allocator/attribute-records', () => {
  const records = [{ handle: 'h', owner: { pod: 'a' } }, { owner: {} }];
  const indexFor = (...holder: Parameters<typeof findOrAddRecord>[1][]): number[] =>
    holder.map((one) => findOrAddRecord(records, one).index);

  it('shares a record with the very same handle and attributes only', () => {
    expect(indexFor({ handle: 'h', attributes: { pod: 'a' } })).to.deep.equal([0]);
    expect(
      indexFor(
        { handle: 'H', attributes: { pod: 'a' } },
        { handle: 'h', attributes: { pod: 'b' } },
      ),
    ).to.deep.equal([2, 2]);
    expect(
      indexFor({ handle: 'h', attributes: { pod: 'a', node: 'x' } }, { handle: 'h' }),
    ).to.deep.equal([2, 2]);
  });

  it('tells no handle from an empty one, and no attributes from an empty map', () => {
    expect(indexFor({})).to.deep.equal([1]);
    expect(indexFor({ handle: '' }, { attributes: {} })).to.deep.equal([2, 2]);
  });

  it('shares no record that has a second owner, or cools', () => {
    const others = [
      { handle: 'h', owner: {}, alternateOwner: { pod: 'b' } },
      { handle: 'h', owner: {}, releasedAt: 0 },
    ];
    expect(findOrAddRecord(others, { handle: 'h' }).index).to.equal(2);
  });
});
