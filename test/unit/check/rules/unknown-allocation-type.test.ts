import { expect } from 'chai';
import { unknownAllocationType } from '../../../../src/check/rules/unknown-allocation-type.ts';
import { NOW, aBlock, clusterOf, podSlot, tunnelSlot } from '../../../support/builders.ts';
import { judge, subjectsOf } from '../../../support/judge.ts';

const odd = { handle: 'x', owner: { type: 'loadbalancer', node: 'node-a' } };

describe('check/rules/unknown-allocation-type', () => {
  it('fires for a type that no kind knows, and never lets it go', () => {
    const [finding] = judge(unknownAllocationType, clusterOf([aBlock('10.0.0.0/28', { 5: odd })]));
    expect(finding?.subject.address).to.equal('10.0.0.5');
    expect(finding?.releasable).to.equal(false);
    expect(finding?.reason).to.contain('type "loadbalancer", which this ipamctl does not know');
  });

  it('is quiet for known types, for none, and while cooling', () => {
    const block = aBlock('10.0.0.0/28', {
      1: tunnelSlot('node-a', 'wireguardV6TunnelAddress'),
      2: podSlot('a/b', 'node-a'),
      3: { ...odd, releasedAt: NOW },
    });
    expect(subjectsOf(unknownAllocationType, clusterOf([block]))).to.be.empty;
  });
});
