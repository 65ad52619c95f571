import { expect } from 'chai';
import { scanCluster } from '../../../../src/ipam/collector/collector-scan.ts';
import {
  collectorMetrics,
  type MetricFamily,
  withReclamations,
} from '../../../../src/ipam/collector/collector-metrics.ts';
import type { Row } from '../../../../src/ipam/model/row.ts';
import {
  aBlock,
  aNode,
  aPod,
  aPool,
  aReservation,
  clusterOf,
  coolingSlot,
  NOW,
  podSlot,
} from '../../../support/builders.ts';

const SCAN = { now: NOW, leakGraceMs: 900_000, minAgeMs: 300_000, cooldownSeconds: 60 };

function metrics(rows: readonly Row[]): readonly MetricFamily[] {
  const state = clusterOf(rows);
  return collectorMetrics(state, scanCluster(state, SCAN), new Map());
}

/** Values of one metric, by labels. */
function values(families: readonly MetricFamily[], name: string): Readonly<Record<string, number>> {
  const family = families.find((one) => one.name === name);
  return Object.fromEntries(
    (family?.samples ?? []).map(({ labels, value }) => [Object.values(labels).join(' '), value]),
  );
}

const POOL = aPool('main', '10.0.0.0/24');

describe('ipam/collector/collector-metrics', () => {
  it('counts addresses in use by pool and node, with zeros for known nodes', () => {
    const rows = [
      POOL,
      aNode('node-a'),
      aNode('node-b'),
      aBlock('10.0.0.0/28', { 1: podSlot('shop/gone', 'node-a'), 2: coolingSlot(1000) }),
      aBlock('192.0.2.0/28', { 1: { handle: 'x', owner: {} } }),
    ];
    const all = metrics(rows);
    expect(values(all, 'ipam_allocations_in_use')).to.deep.equal({
      'main node-a': 1,
      'main node-b': 0,
      'no_ippool unknown_node': 1,
    });
    expect(values(all, 'ipam_allocations_gc_candidates')).to.deep.equal({
      'main node-a': 1,
      'main node-b': 0,
    });
    expect(values(all, 'ipam_allocations_per_node')).to.deep.equal({ 'node-a': 1, 'node-b': 0 });
  });

  it('G-22: counts what reservations cover once', () => {
    const all = metrics([POOL, aReservation('r', '10.0.0.128/28', '10.0.0.128/29')]);
    expect(values(all, 'ipam_ippool_size')).to.deep.equal({ main: 256 });
    expect(values(all, 'ipam_ippool_reserved')).to.deep.equal({ main: 16 });
    expect(values(metrics([]), 'ipam_ippool_size')).to.deep.equal({});
    const going = metrics([{ ...POOL, terminating: true }]);
    expect(values(going, 'ipam_ippool_size')).to.deep.equal({});
  });

  it('G-23: calls an address borrowed whose block has lost its owner', () => {
    const rows = [
      POOL,
      aNode('node-c'),
      aBlock('10.0.0.0/28', { 1: podSlot('shop/cart-0', 'node-c') }, { affinity: undefined }),
      aPod('shop/cart-0', 'node-c', '10.0.0.1'),
    ];
    const all = metrics(rows);
    expect(values(all, 'ipam_blocks')).to.deep.equal({ 'main no_affinity': 1 });
    expect(values(all, 'ipam_blocks_per_node')).to.deep.equal({});
    expect(values(all, 'ipam_allocations_borrowed')).to.deep.equal({ 'main node-c': 1 });
    expect(values(all, 'ipam_allocations_borrowed_per_node')).to.deep.equal({ 'node-c': 1 });
  });

  it('counts released leaks as they come', () => {
    const released = new Map([['main node-a', { pool: 'main', node: 'node-a', count: 3 }]]);
    const all = withReclamations(metrics([POOL]), released);
    expect(values(all, 'ipam_allocations_gc_reclamations')).to.deep.equal({ 'main node-a': 3 });
    expect(all.filter(({ type }) => type === 'counter')).to.have.length(1);
  });
});
