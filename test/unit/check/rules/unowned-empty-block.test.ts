import { expect } from 'chai';
import { unownedEmptyBlock } from '../../../../src/check/rules/unowned-empty-block.ts';
import { aBlock, clusterOf, coolingSlot, podSlot } from '../../../support/builders.ts';
import { judge, restsOn } from '../../../support/judge.ts';

const UNOWNED = { affinity: undefined };

describe('check/rules/unowned-empty-block', () => {
  it('is quiet for an empty block with an owner, and for one without that holds an address', () => {
    const blocks = [
      aBlock('10.0.0.0/28'),
      aBlock('10.0.0.16/28', {}, { affinity: 'virtual:load-balancer' }),
      aBlock('10.0.0.32/28', { 5: podSlot('shop/a', 'node-a') }, UNOWNED),
    ];
    expect(judge(unownedEmptyBlock, clusterOf(blocks))).to.be.empty;
  });

  it('fires for an empty block without owner', () => {
    const state = clusterOf([aBlock('10.0.0.0/28', {}, UNOWNED)]);
    const [finding] = judge(unownedEmptyBlock, state);
    expect(finding?.subject).to.deep.include({
      kind: 'IPAMBlock',
      name: '10-0-0-0-28',
      cidr: '10.0.0.0/28',
    });
    expect(finding?.reason).to.equal('Block 10.0.0.0/28 has no owner and holds no address.');
    expect(finding?.remedy).to.equal(
      'Delete it with `ipamctl ipam repair --only unowned-empty-block`.',
    );
    expect(restsOn(unownedEmptyBlock, state)).to.deep.equal(['IPAMBlock 10-0-0-0-28']);
  });

  it('does not take a cooling address for a held one, but says to wait for it', () => {
    const [finding] = judge(
      unownedEmptyBlock,
      clusterOf([aBlock('10.0.0.0/28', { 5: coolingSlot() }, UNOWNED)]),
    );
    expect(finding?.reason).to.equal(
      'Block 10.0.0.0/28 has no owner and holds nothing but 1 cooling address.',
    );
    expect(finding?.remedy).to.match(/^Wait until the addresses have cooled/);
  });

  it('does not send anyone to delete a damaged block', () => {
    const [finding] = judge(
      unownedEmptyBlock,
      clusterOf([aBlock('10.0.0.0/28', {}, { ...UNOWNED, unallocated: [] })]),
    );
    expect(finding?.remedy).to.contain('look at its finding invalid-block');
  });
});
