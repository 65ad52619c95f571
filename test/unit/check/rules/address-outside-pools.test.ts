import { expect } from 'chai';
import { addressOutsidePools } from '../../../../src/check/rules/address-outside-pools.ts';
import {
  aBlock,
  aNode,
  aPod,
  aPool,
  aService,
  clusterOf,
  podSlot,
} from '../../../support/builders.ts';
import { judge, subjectsOf } from '../../../support/judge.ts';

const POOL = aPool('main', '10.0.0.0/24');
const POD = aPod('shop/cart-0', 'node-a', '10.9.0.5');

describe('check/rules/address-outside-pools', () => {
  it('fires once for each address that no pool covers', () => {
    const rows = [POOL, POD, aPod('a/b', 'node-b', '10.9.0.5'), aPod('a/c', 'node-b', '10.9.0.4')];
    expect(subjectsOf(addressOutsidePools, clusterOf(rows))).to.deep.equal([
      '10.9.0.4',
      '10.9.0.5',
    ]);
    expect(judge(addressOutsidePools, clusterOf([POOL, POD]))[0]?.reason).to.equal(
      '10.9.0.5 is carried by pod shop/cart-0 on node node-a, but it is not allocated and lies in no pool.',
    );
  });

  it('names a disabled pool around the address', () => {
    const [finding] = judge(
      addressOutsidePools,
      clusterOf([aPool('old', '10.9.0.0/24', { disabled: true }), POD]),
    );
    expect(finding?.reason).to.contain('in disabled pool old only');
    expect(finding?.remedy).to.contain('keep pool old');
  });

  it('is quiet for an allocated address and inside an enabled pool', () => {
    const block = aBlock('10.9.0.0/28', { 5: podSlot('shop/cart-0', 'node-a') });
    expect(subjectsOf(addressOutsidePools, clusterOf([POOL, block, POD]))).to.be.empty;
    expect(subjectsOf(addressOutsidePools, clusterOf([POOL, aPod('a/b', 'n', '10.0.0.5')]))).to.be
      .empty;
  });

  it('is quiet for nodes, Services, terminating and host-network pods', () => {
    const rows = [
      POOL,
      aNode('n', { vxlan: '10.9.0.1' }),
      aService('a/b', '10.9.0.2'),
      aPod('a/c', 'n', '10.9.0.3', { terminating: true }),
      aPod('a/d', 'n', '10.9.0.4', { hostNetwork: true }),
    ];
    expect(subjectsOf(addressOutsidePools, clusterOf(rows))).to.be.empty;
  });

  it('lacks pods where they were not read', () => {
    expect(
      addressOutsidePools.missingFor?.(clusterOf([POOL], { without: ['Pod', 'Node'] })),
    ).to.deep.equal(['Pod']);
  });
});
