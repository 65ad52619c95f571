import { expect } from 'chai';
import { blockOverlap } from '../../../../src/check/rules/block-overlap.ts';
import { aBlock, aPool, clusterOf, podSlot } from '../../../support/builders.ts';
import { judge, subjectsOf } from '../../../support/judge.ts';

describe('check/rules/block-overlap', () => {
  it('is quiet for blocks side by side and for equal numbers of other families', () => {
    const blocks = ['10.0.0.0/28', '10.0.0.16/28', 'fd00::/124'].map((cidr) => aBlock(cidr));
    expect(judge(blockOverlap, clusterOf(blocks))).to.be.empty;
  });

  it('is one finding a pair, with the block that comes first', () => {
    const blocks = ['10.0.0.0/28', '10.0.0.0/26', '10.0.0.16/28', '10.0.0.16/29'].map((cidr) =>
      aBlock(cidr),
    );
    const pairs = judge(blockOverlap, clusterOf(blocks)).map(({ facts }) =>
      (facts['blocks'] as readonly { block: string }[]).map(({ block }) => block).join(' '),
    );
    expect(pairs).to.deep.equal([
      '10.0.0.0/26 10.0.0.0/28',
      '10.0.0.0/26 10.0.0.16/28',
      '10.0.0.0/26 10.0.0.16/29',
      '10.0.0.16/28 10.0.0.16/29',
    ]);
  });

  it('fires for two rows of one prefix', () => {
    const twin = aBlock('10.0.0.0/28', {}, { key: { name: 'twin' }, affinity: undefined });
    const [finding, second] = judge(blockOverlap, clusterOf([aBlock('10.0.0.0/28'), twin]));
    expect(second).to.equal(undefined);
    expect(finding?.facts).to.deep.include({
      shared: '10.0.0.0/28',
      sharedAddresses: 16n,
      heldTwice: 0,
    });
    expect(finding?.reason).to.equal(
      'Blocks 10.0.0.0/28 (host:node-a) and 10.0.0.0/28 (no owner) share the 16 addresses of 10.0.0.0/28.',
    );
  });

  it('counts the addresses that both hold', () => {
    const wide = aBlock('10.0.0.0/27', {
      1: podSlot('shop/a', 'node-a'),
      20: podSlot('shop/b', 'node-a'),
    });
    const narrow = aBlock('10.0.0.16/28', {
      4: podSlot('shop/c', 'node-b'),
      5: podSlot('shop/d', 'node-b'),
    });
    const [finding] = judge(blockOverlap, clusterOf([wide, narrow]));
    expect(finding?.facts['heldTwice']).to.equal(1);
    expect(finding?.reason).to.match(/; 1 of them is held in both\.$/);
    expect(finding?.remedy).to.contain('`ipamctl ipam release --ip ADDRESS --block CIDR`');
  });

  it('names the block that has not the size of the pool', () => {
    const rows = [
      aBlock('10.0.0.0/27'),
      aBlock('10.0.0.16/28'),
      aPool('main', '10.0.0.0/24', { blockSize: 28 }),
    ];
    expect(judge(blockOverlap, clusterOf(rows))[0]?.remedy).to.match(
      /^Recreate the pods that use 10\.0\.0\.0\/27, which has not the size of its pool/,
    );
    expect(judge(blockOverlap, clusterOf(rows.slice(0, 2)))[0]?.remedy).to.match(
      /^Recreate the pods that use one of 10\.0\.0\.0\/27 and 10\.0\.0\.16\/28/,
    );
  });

  it('does not count a row in soft deletion', () => {
    const rows = [aBlock('10.0.0.0/27'), aBlock('10.0.0.16/28', {}, { deleted: true })];
    expect(subjectsOf(blockOverlap, clusterOf(rows))).to.be.empty;
  });
});
