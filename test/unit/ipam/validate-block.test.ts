import { expect } from 'chai';
import type { BlockRow } from '../../../src/ipam/model/block.ts';
import { validateBlock } from '../../../src/ipam/validate-block.ts';
import { aBlock, coolingSlot, podSlot } from '../../support/builders.ts';

const sound = aBlock('10.0.0.0/29', { 1: podSlot('shop/a', 'node-a'), 2: coolingSlot() });

const damages: Record<string, readonly [Partial<BlockRow>, readonly string[]]> = {
  'a list of slots that is too short': [
    { allocations: sound.allocations.slice(0, 7), unallocated: [0, 3, 4, 5, 6] },
    ['it records 7 slots for 8 addresses'],
  ],
  'a slot that points past the attributes': [
    { allocations: [9, 0, 1, null, null, null, null, null], unallocated: [3, 4, 5, 6, 7] },
    ['slot 0 points to an attribute that does not exist'],
  ],
  'a slot that points before the attributes': [
    { allocations: [-1, 0, 1, null, null, null, null, null], unallocated: [3, 4, 5, 6, 7] },
    ['slot 0 points to an attribute that does not exist'],
  ],
  'a slot that holds no whole number': [
    { allocations: [NaN, 0, 1, null, null, null, null, null], unallocated: [3, 4, 5, 6, 7] },
    ['slot 0 of the allocations holds no whole number'],
  ],
  'an attribute that belongs to no slot': [
    { attributes: [...sound.attributes, podSlot('shop/b', 'node-a')] },
    ['attribute 2 belongs to no slot'],
  ],
  'a free ordinal outside the block': [
    { unallocated: [0, 3, 4, 5, 6, 7, 8] },
    ['free ordinal 8 lies outside the block'],
  ],
  'a free ordinal that is no whole number': [
    { unallocated: [0, 3, NaN, 4, 5, 6, 7] },
    ['the free list has 1 entry that is no whole number'],
  ],
  'free ordinals that are none': [
    { unallocated: [0, 3, NaN, 4, 5, 6, 7, 1.5] },
    ['the free list has 2 entries that are no whole numbers'],
  ],
  'more slots than are named': [
    {
      cidr: aBlock('10.0.0.0/28').cidr,
      allocations: Array.from({ length: 16 }, () => null),
      attributes: [],
      unallocated: [15, 1, 2, 3],
    },
    ['ordinals 0, 4, 5, 6, 7, 8, 9, 10 and 4 more are neither allocated nor free'],
  ],
  'a free ordinal that is repeated': [
    { unallocated: [0, 3, 4, 5, 6, 7, 3] },
    ['ordinal 3 stands more than once in the free list'],
  ],
  'an ordinal that is both': [
    { unallocated: [0, 1, 3, 4, 5, 6, 7] },
    ['ordinal 1 is both allocated and free'],
  ],
  'ordinals that are neither': [
    { unallocated: [0, 3, 4, 5] },
    ['ordinals 6, 7 are neither allocated nor free'],
  ],
  'several at once': [
    { allocations: [9, 0, 1, null, null, null, null, null], unallocated: [1, 3, 4, 5, 6] },
    [
      'slot 0 points to an attribute that does not exist',
      'ordinal 1 is both allocated and free',
      'ordinal 7 is neither allocated nor free',
    ],
  ],
};

describe('ipam/validate-block', () => {
  it('finds nothing wrong with a sound block', () => {
    expect(validateBlock(sound).defects).to.deep.equal([]);
  });

  for (const [title, [damage, defects]] of Object.entries(damages)) {
    it(`names ${title}`, () => {
      expect(validateBlock({ ...sound, ...damage }).defects).to.deep.equal(defects);
    });
  }

  it('tells a block of 2^64 addresses without slots by its size, and indexes nothing', () => {
    const { defects, size } = validateBlock({
      ...sound,
      cidr: aBlock('2001:db8::/124').cidr,
      allocations: [],
      unallocated: [],
      attributes: [],
    });
    expect(defects).to.deep.equal(['it records 0 slots for 16 addresses']);
    expect(size).to.equal(16);
    const huge = {
      ...sound,
      cidr: { base: sound.cidr.base, length: 0 },
      allocations: [],
      unallocated: [5],
      attributes: [],
    };
    expect(validateBlock(huge).defects).to.deep.equal([
      'it records 0 slots for 4294967296 addresses',
      'free ordinal 5 lies outside the block',
    ]);
  });

  it('carries over what the reader could not read', () => {
    expect(
      validateBlock({ ...sound, misreadings: ['spec.deleted is no boolean'] }).defects,
    ).to.deep.equal(['spec.deleted is no boolean']);
  });
});
