import { expect } from 'chai';
import { isEmptyBlock } from '../../../../src/ipam/allocator/block-content.ts';
import { releaseHandle } from '../../../../src/ipam/allocator/release.ts';
import { aBlock, net } from '../../../support/builders.ts';
import { AT_ONCE, newBlock, release, take, takeGiven } from '../../../support/block-steps.ts';
import { AddressSet } from '../../../../src/net/address-set.ts';

const WINDOWS = {
  startOfBlock: 3,
  endOfBlock: 1,
  handle: 'windows-reserved-ipam-handle',
  note: 'windows host rsvd',
};

describe('ipam/allocator, the queue of free ordinals', () => {
  it('Q-1 starts with every ordinal in order', () => {
    const block = newBlock('10.1.2.0/29');
    expect(block.allocations).to.deep.equal(Array.from({ length: 8 }, () => null));
    expect(block.unallocated).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(block.attributes).to.deep.equal([]);
  });

  it('Q-2 takes from the head, and one record serves all of a call', () => {
    const { block, addresses } = take(newBlock('10.1.2.0/29'), 3, {
      handle: 'h1',
      attributes: { pod: 'a' },
    });
    expect(addresses).to.deep.equal(['10.1.2.0', '10.1.2.1', '10.1.2.2']);
    expect(block.allocations).to.deep.equal([0, 0, 0, null, null, null, null, null]);
    expect(block.unallocated).to.deep.equal([3, 4, 5, 6, 7]);
    expect(block.attributes).to.deep.equal([{ handle: 'h1', owner: { pod: 'a' } }]);
  });

  it('Q-3 and Q-4 append a released address to the tail, so that the one that is idle longest comes next', () => {
    const first = take(newBlock('10.1.2.0/29'), 3, {
      handle: 'h1',
      attributes: { pod: 'a' },
    }).block;
    const { block, counts } = release(first, ['10.1.2.1']);
    expect(block.unallocated).to.deep.equal([3, 4, 5, 6, 7, 1]);
    expect([...counts]).to.deep.equal([['h1', 1]]);
    expect(block.attributes).to.have.length(1);
    const next = take(block, 1, { handle: 'h2' });
    expect(next.addresses).to.deep.equal(['10.1.2.3']);
    expect(next.block.unallocated).to.deep.equal([4, 5, 6, 7, 1]);
    expect(next.block.allocations[3]).to.equal(1);
  });

  it('Q-5 appends in the order of the ordinals within one release', () => {
    const { block } = release(take(newBlock('10.1.2.0/29'), 6).block, [
      '10.1.2.4',
      '10.1.2.0',
      '10.1.2.2',
    ]);
    expect(block.unallocated).to.deep.equal([6, 7, 0, 2, 4]);
  });

  it('Q-6 appends in the order of the releases', () => {
    const first = release(take(newBlock('10.1.2.0/29'), 6).block, ['10.1.2.4']).block;
    const { block } = release(first, ['10.1.2.0']);
    expect(block.unallocated).to.deep.equal([6, 7, 4, 0]);
    expect(take(block, 3).addresses).to.deep.equal(['10.1.2.6', '10.1.2.7', '10.1.2.4']);
  });

  it('Q-7 gives an address again after all others', () => {
    let block = newBlock('10.9.0.8/30');
    for (const address of ['10.9.0.8', '10.9.0.9', '10.9.0.10', '10.9.0.11']) {
      const taken = take(block, 1);
      expect(taken.addresses).to.deep.equal([address]);
      block = release(taken.block, [address]).block;
    }
    expect(block.unallocated).to.deep.equal([0, 1, 2, 3]);
    expect(take(block, 1).addresses).to.deep.equal(['10.9.0.8']);
  });

  it('Q-8 and Q-9 share a record between equal holders, and release all records of a handle', () => {
    const block = takeGiven(
      newBlock('10.1.2.0/29'),
      ['10.1.2.5', { handle: 'A', attributes: { pod: 'p' } }],
      ['10.1.2.6', { handle: 'A', attributes: { pod: 'p' } }],
      ['10.1.2.7', { handle: 'A', attributes: { pod: 'q' } }],
    );
    expect(block.attributes).to.have.length(2);
    expect(block.allocations.slice(5)).to.deep.equal([0, 0, 1]);
    expect(block.unallocated).to.deep.equal([0, 1, 2, 3, 4]);
    const released = releaseHandle(block, { handle: 'A' }, AT_ONCE);
    expect(released.count).to.equal(3);
    expect(released.block.unallocated).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(released.block.attributes).to.deep.equal([]);
  });

  it('Q-10 drops a record that nobody uses, and points the others at their new places', () => {
    const block = takeGiven(
      newBlock('10.1.2.0/29'),
      ['10.1.2.1', { handle: 'A' }],
      ['10.1.2.2', { handle: 'B' }],
      ['10.1.2.3', { handle: 'C' }],
    );
    const released = release(block, ['10.1.2.1']).block;
    expect(released.attributes.map(({ handle }) => handle)).to.deep.equal(['B', 'C']);
    expect(released.allocations.slice(0, 4)).to.deep.equal([null, null, 0, 1]);
    expect(released.unallocated).to.deep.equal([0, 4, 5, 6, 7, 1]);
  });

  it('Q-11 counts per handle, and tells which addresses were free already', () => {
    const first = take(newBlock('10.1.2.0/29'), 2, { handle: 'a' }).block;
    const both = take(first, 3, { handle: 'b' }).block;
    const { block, counts, unallocated } = release(both, [
      '10.1.2.0',
      '10.1.2.2',
      '10.1.2.3',
      '10.1.2.7',
    ]);
    expect(unallocated).to.deep.equal([net('10.1.2.7/32').base]);
    expect([...counts]).to.deep.equal([
      ['a', 1],
      ['b', 2],
    ]);
    expect(block.unallocated).to.deep.equal([5, 6, 7, 0, 2, 3]);
    expect(block.attributes.map(({ handle }) => handle)).to.deep.equal(['a', 'b']);
  });

  it('Q-12 counts nothing for an address without a handle', () => {
    const { block, counts } = release(takeGiven(newBlock('10.1.2.0/29'), ['10.1.2.3', {}]), [
      '10.1.2.3',
    ]);
    expect([...counts]).to.deep.equal([]);
    expect(block.unallocated.at(-1)).to.equal(3);
  });

  it('Q-13 counts an address once that is released twice in one call', () => {
    const full = take(newBlock('10.1.2.0/30'), 4, { handle: 'h' }).block;
    const { block, counts } = release(full, ['10.1.2.1', '10.1.2.1']);
    expect([...counts]).to.deep.equal([['h', 1]]);
    expect(block.unallocated).to.deep.equal([1]);
  });

  it('Q-22 leaves out what a Windows host reserves, and calls the block empty all the same', () => {
    const block = newBlock('172.20.5.64/28', { reservation: WINDOWS });
    expect(block.unallocated).to.deep.equal([3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
    expect([0, 1, 2, 15].map((ordinal) => block.allocations[ordinal])).to.deep.equal([0, 0, 0, 0]);
    expect(isEmptyBlock(block)).to.equal(true);
    const { addresses } = take(block, 20);
    expect([addresses.length, addresses[0], addresses.at(-1)]).to.deep.equal([
      12,
      '172.20.5.67',
      '172.20.5.78',
    ]);
  });

  it('Q-23 reserves two at the start and one at the end', () => {
    const block = newBlock('10.0.0.0/30', {
      reservation: { startOfBlock: 2, endOfBlock: 1, handle: 'h' },
    });
    expect(take(block, 4).addresses).to.deep.equal(['10.0.0.2']);
  });

  it('reserves every address of a block that is too small for the reservation', () => {
    const block = newBlock('10.0.0.0/31', { reservation: WINDOWS });
    expect(block.unallocated).to.deep.equal([]);
    expect(block.allocations).to.deep.equal([0, 0]);
  });

  it('Q-24 compares the Windows handle without regard to case', () => {
    const block = aBlock('10.0.0.0/30', {
      1: { handle: 'WINDOWS-RESERVED-IPAM-HANDLE', owner: {} },
    });
    expect(isEmptyBlock(block)).to.equal(true);
  });

  it('Q-25 steps over reserved ordinals and leaves them in their places', () => {
    const reserved = AddressSet.of([net('10.7.0.2/31'), net('10.7.0.8/30')]);
    const { block, addresses } = take(newBlock('10.7.0.0/28'), 5, {
      isReserved: (one) => reserved.contains(one),
    });
    expect(addresses).to.deep.equal(['10.7.0.0', '10.7.0.1', '10.7.0.4', '10.7.0.5', '10.7.0.6']);
    expect(block.unallocated).to.deep.equal([2, 3, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
  });

  it('changes nothing when there is nothing to take', () => {
    const full = take(newBlock('10.1.2.0/30'), 4, { handle: 'h' }).block;
    const { block, addresses } = take(full, 1, { handle: 'other' });
    expect(addresses).to.deep.equal([]);
    expect(block.attributes).to.equal(full.attributes);
  });
});
