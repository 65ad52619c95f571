import { expect } from 'chai';
import { OUTSIDE_POOLS } from '../../../../src/ipam/accounting/tracker.ts';
import type { BlockAttribute } from '../../../../src/ipam/model/block.ts';
import { formatAddress } from '../../../../src/net/address.ts';
import {
  cool,
  plain,
  pod,
  strange,
  summaryOf,
  trackerOf,
  tun,
  usageOf,
  windows,
} from '../../../support/accounting.ts';
import { aBlock, aPool, aReservation, net } from '../../../support/builders.ts';

const p = aPool('p', '10.0.0.0/24');

function v18() {
  return [
    p,
    aBlock('10.0.0.0/26', {
      0: pod('node-a'),
      1: pod('node-b'),
      2: tun('node-a'),
      3: cool,
      4: { owner: {} },
      5: { handle: 'k8s-pod-network.x', owner: { pod: 'p', namespace: 'n' } },
    }),
    aBlock('10.0.0.64/26', { 0: pod('node-c') }, { affinity: undefined }),
    aBlock(
      '10.0.0.128/26',
      { 0: { handle: 'lb-x', owner: { service: 's' } } },
      { affinity: 'virtual:load-balancer' },
    ),
  ];
}

const V18_COUNTS = {
  total: 256n,
  totalBlocks: 4n,
  reserved: 0n,
  blocksInUse: 3,
  inUse: 8,
  cooling: 1,
  assigned: 7,
  free: 248n,
  borrowed: 2,
  noAffinity: 1,
  virtualAffinity: 1,
  inUseReserved: 0,
  blocksByNode: { 'node-a': 1 },
  addressesByKind: { Workload: 4, Tunnel: 2, LoadBalancer: 1 },
  assignedByNode: { 'node-a': 4, 'node-b': 1, 'node-c': 1, '': 1 },
  borrowedByNode: { 'node-b': 1, 'node-c': 1 },
};

describe('ipam/accounting/counts', () => {
  it('V18 counts owners, kinds, nodes and borrowers of a pool', () => {
    expect(summaryOf(v18())).to.deep.equal({ ...V18_COUNTS, staleAffinity: 0 });
  });

  it('V18 counts the same from a state as from a tracker', () => {
    const [usage] = usageOf(v18()).pools;
    expect(plain(usage?.counts)).to.deep.equal(V18_COUNTS);
  });

  it('V19 counts blocks outside pools until a pool covers them', () => {
    const tracker = trackerOf([
      p,
      aBlock('10.0.0.0/26'),
      aBlock('10.1.0.0/26', { 0: pod('node-a'), 1: pod('node-b') }),
    ]);
    expect(plain(tracker.summarize(OUTSIDE_POOLS))).to.deep.include({
      total: 0n,
      free: 0n,
      blocksInUse: 1,
      blocksByNode: { 'node-a': 1 },
      assignedByNode: { 'node-a': 1, 'node-b': 1 },
      borrowedByNode: { 'node-b': 1 },
    });
    tracker.setPool(aPool('q', '10.1.0.0/24'));
    expect(tracker.summarize(OUTSIDE_POOLS)).to.include({ blocksInUse: 0, inUse: 0 });
  });

  it('V22 counts a pool of 2^80 addresses exactly', () => {
    expect(summaryOf([aPool('p', 'fd00::/48'), aReservation('r', 'fd00::/48')])).to.include({
      total: 1208925819614629174706176n,
      reserved: 1208925819614629174706176n,
      totalBlocks: 18889465931478580854784n,
      free: 0n,
    });
  });

  it('V23 counts stale affinities once nodes are named', () => {
    const tracker = trackerOf([
      p,
      aBlock('10.0.0.0/26'),
      aBlock('10.0.0.64/26', {}, { affinity: 'host:node-b' }),
    ]);
    const stale = () => tracker.summarize('p')?.staleAffinity;
    expect(stale()).to.equal(0);
    tracker.addNodes(['node-a', 'node-b']);
    expect(stale()).to.equal(0);
    tracker.removeNode('node-b');
    expect(stale()).to.equal(1);
  });

  it('V24 counts all as stale when no node is named, and none before any naming', () => {
    const tracker = trackerOf([
      p,
      aBlock('10.0.0.0/26'),
      aBlock('10.0.0.64/26', {}, { affinity: 'host:node-b' }),
    ]);
    tracker.removeNode('node-a');
    expect(tracker.summarize('p')?.staleAffinity).to.equal(0);
    tracker.addNodes([]);
    expect(tracker.summarize('p')?.staleAffinity).to.equal(2);
  });

  it('V25 replaces a block, drops it when deleted and takes it again', () => {
    const tracker = trackerOf([p, aBlock('10.0.0.0/26', { 0: pod('node-a') })]);
    expect(tracker.summarize('p')).to.include({ inUse: 1 });
    const larger = aBlock('10.0.0.0/26', { 0: pod('node-a'), 1: pod('node-a') });
    tracker.setBlock(larger);
    tracker.setBlock(larger);
    expect(tracker.summarize('p')).to.include({ inUse: 2, blocksInUse: 1 });
    tracker.setBlock({ ...larger, deleted: true });
    expect(tracker.summarize('p')).to.include({ inUse: 0, blocksInUse: 0 });
    tracker.setBlock(larger);
    expect(tracker.summarize('p')).to.include({ blocksInUse: 1 });
    tracker.removeBlock(net('10.0.0.0/26'));
    expect(tracker.summarize('p')).to.include({ blocksInUse: 0 });
  });

  it('V26 counts a malformed slot as free', () => {
    const allocations = [0, 7, ...new Array<null>(62).fill(null)];
    const block = aBlock('10.0.0.0/26', { 0: pod('node-a') }, { allocations });
    expect(summaryOf([p, block])).to.include({ inUse: 1, free: 255n });
  });

  it('V27 counts Windows slots as their own kind', () => {
    const rows = [
      p,
      aBlock('10.0.0.0/26', { 0: windows, 1: windows, 2: windows, 5: pod('node-a'), 63: windows }),
    ];
    expect(summaryOf(rows)).to.deep.include({
      addressesByKind: { Workload: 1, WindowsReserved: 4 },
    });
    const unreferenced = trackerOf(rows).unreferenced('p');
    expect(unreferenced.map(({ address }) => formatAddress(address))).to.deep.equal(['10.0.0.5']);
  });

  it('V28 lists assigned allocations only', () => {
    const [only, ...more] = trackerOf([
      p,
      aBlock('10.0.0.0/26', { 0: cool, 3: pod('node-b') }),
    ]).allocations('p');
    expect(more).to.deep.equal([]);
    expect(only).to.include({ ordinal: 3, node: 'node-b', borrowed: true });
    expect(only && formatAddress(only.address)).to.equal('10.0.0.3');
  });

  it('V29 puts a block of a damaged affinity in no class', () => {
    expect(summaryOf([p, aBlock('10.0.0.0/26', {}, { affinity: 'host:' })])).to.deep.include({
      blocksInUse: 1,
      noAffinity: 0,
      virtualAffinity: 0,
      blocksByNode: {},
    });
  });

  it('V30 counts the first pool of a thousand blocks', () => {
    expect(summaryOf(bench(100, 100))).to.deep.include({
      inUse: 4713,
      cooling: 400,
      assigned: 4313,
      borrowed: 400,
      reserved: 16n,
      inUseReserved: 0,
      free: 60807n,
      totalBlocks: 1024n,
      addressesByKind: { Workload: 4300, Tunnel: 13 },
    });
    const tracker = trackerOf(bench(100, 100));
    const counts = tracker.summarize('p');
    expect([
      counts?.blocksByNode.size,
      counts?.assignedByNode.size,
      counts?.borrowedByNode.size,
    ]).to.deep.equal([100, 100, 100]);
  });

  it('V31 counts the first pool of ten thousand blocks', () => {
    const [usage] = usageOf(bench(500, 1000)).pools;
    expect(plain(usage?.counts)).to.deep.include({
      inUse: 23563,
      cooling: 2000,
      assigned: 21563,
      borrowed: 2000,
      free: 41957n,
      addressesByKind: { Workload: 21500, Tunnel: 63 },
    });
    expect([usage?.counts.blocksByNode.size, usage?.counts.assignedByNode.size]).to.deep.equal([
      500, 501,
    ]);
  });

  it('V32 gives out counts that share nothing with the tracker', () => {
    const tracker = trackerOf(v18());
    const counts = tracker.summarize('p');
    counts?.addressesByKind.clear();
    counts?.blocksByNode.clear();
    counts?.assignedByNode.clear();
    counts?.borrowedByNode.clear();
    if (counts) counts.inUse = counts.cooling = 99;
    expect(plain(tracker.summarize('p'))).to.deep.equal({ ...V18_COUNTS, staleAffinity: 0 });
  });

  it('leaves the tracker alone when a block is changed after it was given', () => {
    const block = aBlock('10.0.0.0/26', { 0: pod('node-a') });
    const tracker = trackerOf([p, block]);
    (block.allocations as (number | null)[])[1] = 0;
    tracker.removeBlock(net('10.0.0.0/26'));
    expect(tracker.summarize('p')).to.include({ inUse: 0, blocksInUse: 0 });
  });

  it('knows no unknown pool', () => {
    const tracker = trackerOf([p, aBlock('10.0.0.0/26', { 0: strange })]);
    expect(tracker.summarize('q')).to.equal(undefined);
    expect(tracker.blocks('q')).to.deep.equal([]);
    expect(tracker.hasLostOverlap('q')).to.equal(false);
  });
});

/** The first pool of upstream's benchmark: 43 pods and 4 cooling slots a block, a tunnel in every eighth block. */
function bench(blocks: number, nodes: number) {
  const rows = Array.from({ length: blocks }, (_, b) => {
    const nodeAt = (ordinal: number) => `node-${(b + (ordinal % 10 === 0 ? 1 : 0)) % nodes}`;
    const slots: Record<number, BlockAttribute> = {};
    if (b % 8 === 0) slots[0] = tun(`node-${b % nodes}`);
    for (let ordinal = 1; ordinal <= 43; ordinal++) slots[ordinal] = pod(nodeAt(ordinal));
    for (let ordinal = 44; ordinal <= 47; ordinal++) slots[ordinal] = cool;
    const base = `10.0.${Math.floor(b / 4)}.${(b % 4) * 64}`;
    return aBlock(`${base}/26`, slots, { affinity: `host:node-${b % nodes}` });
  });
  return [aPool('p', '10.0.0.0/16'), aReservation('r', '10.0.255.0/28'), ...rows];
}
