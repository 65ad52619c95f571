import { expect } from 'chai';
import { summarize } from '../../../src/check/summary.ts';
import type { Row } from '../../../src/ipam/model/row.ts';
import { aBlock, aPool, clusterOf, podSlot } from '../../support/builders.ts';

describe('check/summary', () => {
  const rows: readonly Row[] = [
    aPool('main', '10.0.0.0/24'),
    aBlock('10.0.0.0/26', { 1: podSlot('shop/a', 'node-a'), 2: podSlot('shop/b', 'node-a') }),
  ];

  it('calls no handle missing whose row cannot be read', () => {
    const damaged: Row = {
      kind: 'IPAMHandle',
      key: { name: 'k8s-pod-network.shop-a' },
      unreadable: 'spec.block is none',
    };
    const handlesOf = (more: readonly Row[]) =>
      summarize(clusterOf([...rows, ...more]), []).handles;
    expect(handlesOf([])).to.deep.equal({ matched: 0, orphan: 0, missing: 2 });
    expect(handlesOf([damaged])).to.deep.equal({ matched: 0, orphan: 0, missing: 1 });
  });
});
