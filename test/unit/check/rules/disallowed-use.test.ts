import { expect } from 'chai';
import { disallowedUse } from '../../../../src/check/rules/disallowed-use.ts';
import {
  aBlock,
  aPool,
  clusterOf,
  coolingSlot,
  podSlot,
  serviceSlot,
  windowsSlot,
} from '../../../support/builders.ts';
import { judge, subjectsOf } from '../../../support/judge.ts';

const POD_BLOCK = aBlock('10.0.0.0/28', { 5: podSlot('shop/a', 'node-a') });

describe('check/rules/disallowed-use', () => {
  it('fires for a pod in a pool for Services', () => {
    const pool = aPool('lb', '10.0.0.0/24', { blockSize: 28, allowedUses: ['LoadBalancer'] });
    const [finding] = judge(disallowedUse, clusterOf([pool, POD_BLOCK]));
    expect(finding?.subject).to.include({ address: '10.0.0.5', cidr: '10.0.0.0/28' });
    expect(finding?.reason).to.equal(
      '10.0.0.5 serves use Workload, but pool lb, from which it comes, allows LoadBalancer only.',
    );
  });

  it('fires for a Service in a pool for pods', () => {
    const block = aBlock(
      '10.0.0.0/28',
      { 5: serviceSlot('edge/gw') },
      { affinity: 'virtual:load-balancer' },
    );
    expect(
      judge(disallowedUse, clusterOf([aPool('main', '10.0.0.0/24'), block]))[0]?.reason,
    ).to.contain(
      'serves use LoadBalancer, but pool main, from which it comes, allows Workload and Tunnel only',
    );
  });

  it('asks the pool that owns the block', () => {
    const narrow = aPool('narrow', '10.0.0.0/25', { blockSize: 28 });
    const wide = aPool('wide', '10.0.0.0/16', { blockSize: 28, allowedUses: ['LoadBalancer'] });
    expect(subjectsOf(disallowedUse, clusterOf([wide, narrow, POD_BLOCK]))).to.be.empty;
    expect(
      subjectsOf(disallowedUse, clusterOf([wide, { ...narrow, blockSize: 26 }, POD_BLOCK])),
    ).to.deep.equal(['10.0.0.5']);
  });

  it('is quiet outside pools, for allowed uses, reserved slots, unknown types and cooling addresses', () => {
    const block = aBlock('10.0.0.0/28', {
      0: windowsSlot(),
      1: { handle: 'x', owner: { type: 'new' } },
      2: coolingSlot(),
    });
    const lb = aPool('lb', '10.0.0.0/24', { blockSize: 28, allowedUses: ['LoadBalancer'] });
    expect(subjectsOf(disallowedUse, clusterOf([lb, block]))).to.be.empty;
    expect(subjectsOf(disallowedUse, clusterOf([aPool('main', '10.0.0.0/24'), POD_BLOCK]))).to.be
      .empty;
    expect(subjectsOf(disallowedUse, clusterOf([POD_BLOCK]))).to.be.empty;
  });
});
