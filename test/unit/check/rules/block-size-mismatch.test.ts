import { expect } from 'chai';
import { blockSizeMismatch } from '../../../../src/check/rules/block-size-mismatch.ts';
import { aBlock, aPool, clusterOf, podSlot } from '../../../support/builders.ts';
import { judge } from '../../../support/judge.ts';

describe('check/rules/block-size-mismatch', () => {
  it('is quiet for a block of the size of its pool, disabled or not', () => {
    const pools = [
      aPool('main', '10.0.0.0/24', { blockSize: 28 }),
      aPool('old', '10.0.1.0/24', { blockSize: 29, disabled: true }),
    ];
    const blocks = [aBlock('10.0.0.0/28'), aBlock('10.0.1.8/29')];
    expect(judge(blockSizeMismatch, clusterOf([...pools, ...blocks]))).to.be.empty;
  });

  it('fires for a block of another size', () => {
    const rows = [
      aPool('main', '10.0.0.0/24', { blockSize: 28 }),
      aBlock('10.0.0.0/29', { 1: podSlot('shop/a', 'node-a') }),
    ];
    const [finding] = judge(blockSizeMismatch, clusterOf(rows));
    expect(finding?.subject).to.deep.equal({
      kind: 'IPAMBlock',
      name: '10-0-0-0-29',
      cidr: '10.0.0.0/29',
      node: 'node-a',
    });
    expect(finding?.reason).to.equal(
      'Block 10.0.0.0/29 is a /29, but the blocks of its pool main are /28.',
    );
    expect(finding?.remedy).to.match(/^Recreate the pods that use the 1 address of/);
  });

  it('is quiet when one of the pools around the block has its size', () => {
    const rows = [
      aPool('wide', '10.0.0.0/16', { blockSize: 29 }),
      aPool('narrow', '10.0.0.0/24', { blockSize: 28 }),
      aBlock('10.0.0.0/29'),
    ];
    expect(judge(blockSizeMismatch, clusterOf(rows))).to.be.empty;
  });

  it('leaves a block that no pool covers to another rule', () => {
    const rows = [aPool('main', '10.0.0.0/29', { blockSize: 29 }), aBlock('10.0.0.0/28')];
    expect(judge(blockSizeMismatch, clusterOf(rows))).to.be.empty;
  });

  it('says that an empty block can go', () => {
    const rows = [aPool('main', '10.0.0.0/24'), aBlock('10.0.0.0/28')];
    expect(judge(blockSizeMismatch, clusterOf(rows))[0]?.remedy).to.match(
      /^Block 10\.0\.0\.0\/28 is empty/,
    );
  });
});
