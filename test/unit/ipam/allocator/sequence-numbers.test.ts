import { expect } from 'chai';
import { EngineError } from '../../../../src/errors/engine-error.ts';
import { assignAddress } from '../../../../src/ipam/allocator/assign.ts';
import { ordinalsOfHandle, releaseHandle } from '../../../../src/ipam/allocator/release.ts';
import type { BlockRow } from '../../../../src/ipam/model/block.ts';
import { aBlock, ip } from '../../../support/builders.ts';
import { at, AT_ONCE, newBlock, release, take, written } from '../../../support/block-steps.ts';

/** The category of the refusal, with its details. */
function refusal(act: () => unknown): readonly [string, Readonly<Record<string, unknown>>] {
  try {
    act();
  } catch (error) {
    if (error instanceof EngineError) return [error.category, error.details];
    throw error;
  }
  return ['none', {}];
}

const numberOf = (block: BlockRow, ordinal: number): bigint | undefined =>
  block.sequenceNumbers.get(ordinal);

describe('ipam/allocator, sequence numbers', () => {
  const first = take(newBlock('10.0.0.0/30', { sequenceNumber: 1000n }), 1, { handle: 'h' }).block;
  const released = written(releaseHandle(first, { handle: 'h' }, AT_ONCE).block);
  const again = written(assignAddress(released, ip('10.0.0.0'), { handle: 'h' }));

  it('S-1 gives an address the number before the write, and a higher one the next time', () => {
    expect([numberOf(first, 0), numberOf(released, 0), numberOf(again, 0)]).to.deep.equal([
      1000n,
      undefined,
      1002n,
    ]);
    expect([first, released, again].map(({ sequenceNumber }) => sequenceNumber)).to.deep.equal([
      1001n,
      1002n,
      1003n,
    ]);
  });

  it('S-2 refuses a release that means an earlier assignment', () => {
    const [category, details] = refusal(() =>
      release(again, [{ ip: '10.0.0.0', handle: 'h', sequenceNumber: 1000n }]),
    );
    expect(category).to.equal('bad-sequence-number');
    expect(details).to.deep.include({ requestedNumber: 1000n, expectedNumber: 1002n });
  });

  it('S-3 releases with the number of the assignment', () => {
    const { block } = release(again, [{ ip: '10.0.0.0', handle: 'h', sequenceNumber: 1002n }]);
    expect(block.sequenceNumber).to.equal(1004n);
    expect(block.allocations[0]).to.equal(null);
  });

  it('S-5 reads a number that is missing as 0', () => {
    const old = aBlock(
      '10.0.0.0/30',
      { 0: { owner: {} } },
      { sequenceNumber: 0n, sequenceNumbers: new Map() },
    );
    expect(release(old, [{ ip: '10.0.0.0', sequenceNumber: 0n }]).block.allocations[0]).to.equal(
      null,
    );
    expect(refusal(() => release(old, [{ ip: '10.0.0.0', sequenceNumber: 1n }]))[0]).to.equal(
      'bad-sequence-number',
    );
  });

  it('S-6 expects 0 of an address that is free, and takes a release without a number', () => {
    const free = release(take(newBlock('10.0.0.0/30', { sequenceNumber: 50n }), 1).block, [
      '10.0.0.0',
    ]).block;
    const [category, details] = refusal(() =>
      release(free, [{ ip: '10.0.0.0', sequenceNumber: 50n }]),
    );
    expect([category, details['expectedNumber']]).to.deep.equal(['bad-sequence-number', 0n]);
    expect(release(free, ['10.0.0.0']).unallocated).to.have.length(1);
  });

  it('S-7 tells a stale release by address from the address that cools', () => {
    const taken = take(newBlock('10.0.0.0/30', { sequenceNumber: 50n }), 1).block;
    const cooling = release(taken, ['10.0.0.0'], at(1000, 60)).block;
    const [category, details] = refusal(() =>
      release(cooling, [{ ip: '10.0.0.0', sequenceNumber: 50n }], at(1001, 60)),
    );
    expect([category, details['expectedNumber']]).to.deep.equal(['bad-sequence-number', 51n]);
    expect(release(cooling, ['10.0.0.0'], at(1001, 60)).unallocated).to.have.length(1);
  });

  it('S-8 does not after a release by handle', () => {
    const taken = take(newBlock('10.0.0.0/30', { sequenceNumber: 50n }), 1, { handle: 'h' }).block;
    const cooling = releaseHandle(taken, { handle: 'h' }, at(1000, 60)).block;
    const result = release(cooling, [{ ip: '10.0.0.0', sequenceNumber: 50n }], at(1001, 60));
    expect(result.unallocated).to.have.length(1);
  });

  it('S-9 releases the addresses of a handle that have the number, and leaves the others alone', () => {
    const slots = Object.fromEntries(
      [0, 1, 2, 3, 4].map((ordinal) => [ordinal, { handle: 'g', owner: {} }]),
    );
    const block = aBlock('10.0.0.0/29', slots, {
      sequenceNumbers: new Map([
        [0, 5n],
        [1, 5n],
        [2, 6n],
        [3, 7n],
        [4, 7n],
      ]),
    });
    const result = releaseHandle(block, { handle: 'g', sequenceNumber: 5n }, AT_ONCE);
    expect(result.count).to.equal(2);
    expect(result.block.allocations.map((index) => index === null)).to.deep.equal([
      ...[true, true, false, false, false, true, true, true],
    ]);
  });

  it('S-10 releases none of a batch when one address belongs to another handle', () => {
    const two = take(newBlock('10.0.0.0/30'), 2, { handle: 'h' }).block;
    const act = (): unknown => release(two, ['10.0.0.0', { ip: '10.0.0.1', handle: 'other' }]);
    expect(refusal(act)[0]).to.equal('bad-handle');
  });

  it('S-15 compares handles up to a control character', () => {
    const block = aBlock('10.0.0.0/30', { 0: { handle: 'cid\r\neth0', owner: {} } });
    expect(ordinalsOfHandle(block, 'cid')).to.deep.equal([0]);
    const { counts } = release(block, [{ ip: '10.0.0.0', handle: 'cid' }]);
    expect([...counts]).to.deep.equal([['cid', 1]]);
  });

  it('refuses an address of another block', () => {
    expect(refusal(() => release(again, ['10.0.0.9']))[0]).to.equal('address-outside-block');
    expect(refusal(() => assignAddress(again, ip('10.0.0.9'), {}))[0]).to.equal(
      'address-outside-block',
    );
  });

  it('refuses an address that is taken, or cools', () => {
    expect(refusal(() => assignAddress(again, ip('10.0.0.0'), {}))[0]).to.equal('exists');
    const cooling = release(again, ['10.0.0.0'], at(1000, 60)).block;
    expect(refusal(() => assignAddress(cooling, ip('10.0.0.0'), {}))[0]).to.equal('exists');
  });

  it('gives from the block of another owner, or of none, unless affinity is strict', () => {
    const onlyFor = { type: 'host', host: 'node-b' };
    const nobodys = { ...again, affinity: undefined };
    expect(take(again, 1).addresses).to.have.length(1);
    expect(refusal(() => take(again, 1, { onlyFor }))[0]).to.equal('strict-affinity');
    expect(refusal(() => take(nobodys, 1, { onlyFor }))[0]).to.equal(
      'strict-affinity-unowned-block',
    );
  });
});
