import { expect } from 'chai';
import { overlapGroups } from '../../../../src/ipam/accounting/overlap.ts';
import { OUTSIDE_POOLS } from '../../../../src/ipam/accounting/tracker.ts';
import { formatCidr } from '../../../../src/net/cidr.ts';
import {
  cool,
  type CountedRow,
  plain,
  pod,
  trackerOf,
  usageOf,
  withoutStale,
} from '../../../support/accounting.ts';
import { aBlock, aPool, aReservation, net } from '../../../support/builders.ts';

const p = aPool('p', '10.0.0.0/24');
const wide = (slots = {}) => aBlock('10.0.0.0/26', slots);
const narrow = (slots = {}) => aBlock('10.0.0.0/28', slots, { affinity: 'host:node-b' });

/** Counts of pool `p` and outside, made at once and step by step, which must agree. */
function countsOf(rows: readonly CountedRow[]) {
  const usage = usageOf(rows);
  const tracker = trackerOf(rows);
  const pool = plain(usage.pools.find(({ pool }) => pool.key.name === 'p')?.counts);
  expect(withoutStale(tracker.summarize('p'))).to.deep.equal(pool);
  return { pool, outside: tracker.summarize(OUTSIDE_POOLS) };
}

describe('ipam/accounting/overlap', () => {
  it('groups a block with everything inside it', () => {
    const blocks = [
      '10.0.0.0/24',
      '10.0.0.0/26',
      '10.0.0.64/28',
      '10.0.1.0/24',
      'fd00::/120',
      'fd00::/122',
    ];
    const groups = [...overlapGroups(blocks.map((cidr) => ({ cidr: net(cidr) })))];
    expect(groups.map((group) => group.map(({ cidr }) => formatCidr(cidr)))).to.deep.equal([
      blocks.slice(0, 3),
      blocks.slice(3, 4),
      blocks.slice(4),
    ]);
    expect([...overlapGroups([])]).to.deep.equal([]);
  });

  it('counts an address once that two blocks of a pool hold', () => {
    const { pool } = countsOf([
      p,
      wide({ 1: pod('node-a'), 40: pod('node-a') }),
      narrow({ 1: pod('node-b'), 2: pod('node-b') }),
    ]);
    expect(pool).to.include({ inUse: 3, assigned: 3, free: 253n, blocksInUse: 2 });
  });

  it('counts an address as assigned that one block assigns and another cools down', () => {
    for (const rows of [
      [wide({ 1: cool }), narrow({ 1: pod('node-b') })],
      [wide({ 1: pod('node-a') }), narrow({ 1: cool })],
    ]) {
      expect(countsOf([p, ...rows]).pool).to.include({ inUse: 1, cooling: 0, assigned: 1 });
    }
  });

  it('counts a reserved address once that two blocks hold', () => {
    const rows = [
      p,
      wide({ 1: pod('node-a') }),
      narrow({ 1: pod('node-b') }),
      aReservation('r', '10.0.0.1/32'),
    ];
    expect(countsOf(rows).pool).to.include({ inUse: 1, inUseReserved: 1, free: 255n });
  });

  it('counts an address for the pool when a block outside every pool holds it too', () => {
    const outside = aBlock('10.0.0.0/23', { 1: pod('node-a'), 300: pod('node-a') });
    const counts = countsOf([p, wide({ 1: pod('node-b') }), outside]);
    expect(counts.pool).to.include({ inUse: 1, free: 255n });
    expect(counts.outside).to.include({ inUse: 1, blocksInUse: 1 });
  });

  it('counts an address for the narrower of two pools whose blocks hold it', () => {
    const inner = aPool('inner', '10.0.0.0/25', { blockSize: 28 });
    const rows = [p, inner, wide({ 1: pod('node-a') }), narrow({ 1: pod('node-b') })];
    const usage = usageOf(rows);
    expect(usage.pools.map(({ counts }) => counts.inUse)).to.deep.equal([1, 0]);
    expect(countsOf(rows).pool).to.include({ inUse: 0, blocksInUse: 1 });
  });

  it('counts both again as their own when the overlap ends', () => {
    const tracker = trackerOf([p, wide({ 1: pod('node-a') }), narrow({ 1: pod('node-b') })]);
    tracker.removeBlock(net('10.0.0.0/26'));
    expect(tracker.summarize('p')).to.include({ inUse: 1, borrowed: 0 });
    tracker.removeBlock(net('10.0.0.0/28'));
    expect(plain(tracker.summarize('p'))).to.deep.include({
      inUse: 0,
      assignedByNode: {},
      addressesByKind: {},
    });
  });

  it('counts two rows of one prefix in a state as one block of addresses', () => {
    const again = aBlock('10.0.0.0/26', { 1: pod('node-b') }, { key: { name: 'again' } });
    const [usage] = usageOf([p, wide({ 1: pod('node-a') }), again]).pools;
    expect(usage?.counts).to.include({ inUse: 1, blocksInUse: 2 });
  });
});
