import { expect } from 'chai';
import { unallocatedAddress } from '../../../../src/check/rules/unallocated-address.ts';
import {
  aBlock,
  aNode,
  aPod,
  aPool,
  aService,
  clusterOf,
  coolingSlot,
  podSlot,
} from '../../../support/builders.ts';
import { aControllersConfiguration } from '../../../support/settings-builders.ts';
import { judge, restsOn, subjectsOf } from '../../../support/judge.ts';

const POOL = aPool('main', '10.0.0.0/24', { blockSize: 28 });
const POD = aPod('shop/cart-0', 'node-a', '10.0.0.5');
const EMPTY = aBlock('10.0.0.0/28');

describe('check/rules/unallocated-address', () => {
  it('fires for a pod whose address is free', () => {
    const [finding] = judge(unallocatedAddress, clusterOf([POOL, EMPTY, POD]));
    expect(finding?.subject).to.include({
      address: '10.0.0.5',
      cidr: '10.0.0.0/28',
      node: 'node-a',
    });
    expect(finding?.releasable).to.equal(false);
    expect(finding?.reason).to.equal(
      '10.0.0.5 of pool main is carried by pod shop/cart-0 on node node-a, but IPAM has not allocated it and may give it to something else at any time.',
    );
    expect(finding?.remedy).to.contain(
      '`ipamctl ipam assign --ip 10.0.0.5 --node node-a --attr namespace=shop --attr pod=cart-0`',
    );
  });

  it('points to the damage of the block, in which nothing can be claimed', () => {
    const damaged = aBlock('10.0.0.0/28', {}, { allocations: [0, ...Array<null>(15).fill(null)] });
    const [finding] = judge(unallocatedAddress, clusterOf([POOL, damaged, POD]));
    expect(finding?.facts).to.include({ damaged: true });
    expect(finding?.remedy)
      .to.contain('Mend block 10.0.0.0/28 first')
      .and.to.contain('`ipamctl ipam check --only invalid-block`')
      .and.to.not.contain('ipam assign');
  });

  it('fires once for a node and for a Service, with or without a block', () => {
    const rows = [
      POOL,
      aNode('node-a', { vxlan: '10.0.0.9', ipip: '10.0.0.9' }),
      aControllersConfiguration(),
    ];
    const state = clusterOf([...rows, aService('edge/gw', '10.0.0.20')]);
    expect(subjectsOf(unallocatedAddress, state)).to.deep.equal(['10.0.0.9', '10.0.0.20']);
    const [node, service] = judge(unallocatedAddress, state);
    expect(node?.remedy).to.contain('Restart calico-node on node node-a');
    expect(service?.remedy).to.contain('--use LoadBalancer');
  });

  it('is one finding for an address with two carriers', () => {
    const [finding, second] = judge(
      unallocatedAddress,
      clusterOf([POOL, POD, aPod('a/b', 'node-b', '10.0.0.5')]),
    );
    expect(second).to.equal(undefined);
    expect(finding?.remedy).to.contain('Decide who keeps the address');
  });

  it('is quiet for an address that some block has allocated', () => {
    expect(
      subjectsOf(
        unallocatedAddress,
        clusterOf([POOL, aBlock('10.0.0.0/28', { 5: podSlot('a/b', 'n') }), POD]),
      ),
    ).to.be.empty;
  });

  it('is quiet outside pools and in a disabled pool', () => {
    expect(
      subjectsOf(
        unallocatedAddress,
        clusterOf([aPool('main', '10.0.0.0/24', { disabled: true }), POD]),
      ),
    ).to.be.empty;
    expect(subjectsOf(unallocatedAddress, clusterOf([aPool('main', '10.9.0.0/24'), POD]))).to.be
      .empty;
  });

  it('fires for an address that IPAM has released under a running pod', () => {
    const [finding] = judge(
      unallocatedAddress,
      clusterOf([POOL, aBlock('10.0.0.0/28', { 5: coolingSlot() }), POD]),
    );
    expect(finding?.facts['cooling']).to.equal(true);
    expect(finding?.reason).to.contain('when its cooldown is over');
  });

  it('blames no terminating, finished or host-network pod, and no Service of another controller', () => {
    const rows = [
      POOL,
      aPod('a/leaving', 'n', '10.0.0.1', { terminating: true }),
      aPod('a/done', 'n', '10.0.0.2', { finished: true }),
      aPod('a/host', 'n', '10.0.0.3', { hostNetwork: true }),
      aControllersConfiguration(),
      aService('a/other', '10.0.0.4', { loadBalancerClass: 'example.com/other' }),
    ];
    expect(subjectsOf(unallocatedAddress, clusterOf(rows))).to.be.empty;
  });

  it('is quiet where the block that would tell cannot be read', () => {
    const damaged = {
      kind: 'IPAMBlock',
      key: { name: '10-0-0-0-28' },
      unreadable: 'spec.cidr "x" is no CIDR',
    } as const;
    expect(subjectsOf(unallocatedAddress, clusterOf([POOL, POD, damaged]))).to.be.empty;
    const elsewhere = { ...damaged, key: { name: '10-0-0-16-28' } };
    expect(subjectsOf(unallocatedAddress, clusterOf([POOL, POD, elsewhere]))).to.have.length(1);
  });

  it('names the carrier kinds that were not read', () => {
    expect(
      unallocatedAddress.missingFor?.(clusterOf([POOL], { without: ['Pod', 'Service'] })),
    ).to.deep.equal(['Pod', 'Service']);
    expect(unallocatedAddress.missingFor?.(clusterOf([POOL]))).to.be.empty;
  });

  it('rests on the blocks that could hold the address and on its carriers', () => {
    const wide = aPool('wide', '10.0.0.0/16', { blockSize: 26 });
    expect(restsOn(unallocatedAddress, clusterOf([POOL, wide, EMPTY, POD]))).to.have.members([
      'IPAMBlock 10-0-0-0-28',
      'IPAMBlock 10-0-0-0-26',
      'Pod shop/cart-0',
    ]);
    expect(
      restsOn(unallocatedAddress, clusterOf([POOL, aNode('node-a', { ipip: '10.0.0.40' })])),
    ).to.deep.equal(['IPAMBlock 10-0-0-32-28', 'Node node-a']);
  });
});
