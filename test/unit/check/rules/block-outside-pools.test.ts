import { expect } from 'chai';
import { blockOutsidePools } from '../../../../src/check/rules/block-outside-pools.ts';
import { aBlock, aPool, clusterOf, podSlot } from '../../../support/builders.ts';
import { judge, subjectsOf } from '../../../support/judge.ts';

describe('check/rules/block-outside-pools', () => {
  it('is quiet for a block that a pool covers, disabled or of another block size', () => {
    const rows = [
      aPool('off', '10.0.0.0/24', { disabled: true }),
      aPool('other', '10.0.1.0/24', { blockSize: 30 }),
      aBlock('10.0.0.0/26'),
      aBlock('10.0.1.0/26'),
    ];
    expect(judge(blockOutsidePools, clusterOf(rows))).to.be.empty;
  });

  it('fires for blocks of either family that no pool covers', () => {
    const blocks = [
      aBlock('2001:db8::/122', { 1: podSlot('shop/a', 'node-a') }),
      aBlock('10.0.0.0/26'),
    ];
    const state = clusterOf([aPool('main', '192.168.0.0/16'), ...blocks]);
    expect(subjectsOf(blockOutsidePools, state)).to.deep.equal(['10-0-0-0-26', '2001-db8---122']);
    const [empty, held] = judge(blockOutsidePools, state);
    expect(empty?.reason).to.equal('No pool covers block 10.0.0.0/26; it holds no address.');
    expect(held?.reason).to.equal('No pool covers block 2001:db8::/122; it holds 1 address.');
    expect(held?.remedy).to.match(/^Create a pool that covers 2001:db8::\/122 \(disabled/);
  });

  it('fires for a block that lies in pools only in part', () => {
    const rows = [aPool('a', '10.0.0.0/27', { blockSize: 27 }), aBlock('10.0.0.0/26')];
    const [finding] = judge(blockOutsidePools, clusterOf(rows));
    expect(finding?.facts['partlyIn']).to.deep.equal(['a']);
    expect(finding?.reason).to.contain('only a part of it lies in a;');
  });
});
