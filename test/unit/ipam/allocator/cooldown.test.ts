import { expect } from 'chai';
import { collectCooled } from '../../../../src/ipam/allocator/collect-cooled.ts';
import { releaseHandle } from '../../../../src/ipam/allocator/release.ts';
import type { BlockRow } from '../../../../src/ipam/model/block.ts';
import { aBlock, podSlot } from '../../../support/builders.ts';
import { at, collect, newBlock, release, take } from '../../../support/block-steps.ts';

const numbers = ({ sequenceNumbers }: BlockRow): readonly (readonly [number, bigint])[] => [
  ...sequenceNumbers,
];

describe('ipam/allocator, cooldown', () => {
  const two = take(newBlock('10.7.0.0/30', { sequenceNumber: 50n }), 2, { handle: 'p1' }).block;
  const cooling = release(two, ['10.7.0.0'], at(1000, 60)).block;

  it('Q-14 keeps a released address allocated, under a record of its own and the number of its release', () => {
    expect(cooling.allocations).to.deep.equal([1, 0, null, null]);
    expect(cooling.attributes).to.deep.equal([
      { handle: 'p1', owner: {} },
      { owner: {}, releasedAt: 1_000_000 },
    ]);
    expect(cooling.unallocated).to.deep.equal([2, 3]);
    expect(numbers(cooling)).to.deep.equal([
      [0, 51n],
      [1, 50n],
    ]);
  });

  it('Q-15 does not give a cooling address out', () => {
    const { block, addresses } = take(cooling, 3, { handle: 'p2' });
    expect(addresses).to.deep.equal(['10.7.0.2', '10.7.0.3']);
    expect(block.unallocated).to.deep.equal([]);
  });

  it('Q-16 ends the cooldown when more than its time has passed', () => {
    const { block } = take(cooling, 3, { handle: 'p2' });
    expect(collectCooled(block, at(1059, 60))).to.equal(block);
    expect(collectCooled(block, at(1060, 60))).to.equal(block);
    const collected = collect(block, at(1060.001, 60));
    expect(collected.unallocated).to.deep.equal([0]);
    expect(collected.allocations).to.deep.equal([null, 0, 1, 1]);
    expect(collected.attributes.map(({ handle }) => handle)).to.deep.equal(['p1', 'p2']);
    expect(collected.sequenceNumbers.has(0)).to.equal(false);
  });

  it('Q-17 and Q-18 return addresses pass by pass, and within a pass in the order of their ordinals', () => {
    const full = take(newBlock('10.7.0.0/29'), 8).block;
    const first = release(full, ['10.7.0.6'], at(1000, 30)).block;
    const both = release(first, ['10.7.0.2'], at(1010, 30)).block;
    const once = collect(both, at(1031, 30));
    expect(once.unallocated).to.deep.equal([6]);
    expect(collect(once, at(1100, 30)).unallocated).to.deep.equal([6, 2]);
    expect(collect(both, at(1100, 30)).unallocated).to.deep.equal([2, 6]);
  });

  it('Q-19 drops records that nobody uses', () => {
    const block = aBlock('10.7.0.0/30', { 1: podSlot('shop/a', 'node-a') });
    const damaged = {
      ...block,
      attributes: [{ owner: {} }, ...block.attributes, { owner: {} }],
      allocations: [null, 1, null, null],
    };
    const collected = collectCooled(damaged, at(0, 0));
    expect(collected).not.to.equal(damaged);
    expect(collected.attributes).to.deep.equal(block.attributes);
    expect(collected.allocations).to.deep.equal([null, 0, null, null]);
  });

  it('Q-20 finds nothing in a fresh block', () => {
    const block = newBlock('10.7.0.0/30');
    expect(collectCooled(block, at(1000, 0))).to.equal(block);
  });

  it('Q-21 returns what was released long ago, and keeps what was released just now', () => {
    const full = take(newBlock('10.7.0.0/24'), 6, { handle: 'live' }).block;
    const old = release(full, ['10.7.0.0', '10.7.0.1'], at(940, 30)).block;
    const both = release(old, ['10.7.0.2', '10.7.0.3'], at(1000, 30)).block;
    expect(collect(both, at(1000, 30)).unallocated).to.have.length(256 - 4);
  });

  it('frees an address in the write that releases it when there is no cooldown, whatever the clock says', () => {
    const ahead = release(two, ['10.7.0.0'], at(5000, 60)).block;
    expect(collect(ahead, at(1000, 0)).unallocated).to.deep.equal([2, 3, 0]);
    expect(collect(ahead, at(1000, -5)).unallocated).to.deep.equal([2, 3, 0]);
  });

  it('keeps the numbers of the ordinals in a release by handle', () => {
    const released = releaseHandle(two, { handle: 'p1' }, at(1000, 60));
    expect(numbers(released.block)).to.deep.equal([
      [0, 50n],
      [1, 50n],
    ]);
    expect(released.block.attributes).to.deep.equal([{ owner: {}, releasedAt: 1_000_000 }]);
  });

  it('does not release a cooling address again', () => {
    const again = release(cooling, ['10.7.0.0'], at(1010, 60));
    expect(again.block).to.equal(cooling);
    expect(again.unallocated).to.have.length(1);
  });
});
