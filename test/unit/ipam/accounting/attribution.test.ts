import { expect } from 'chai';
import {
  PoolIndex,
  activePoolOf,
  attributeBlock,
} from '../../../../src/ipam/accounting/attribution.ts';
import { OUTSIDE_POOLS } from '../../../../src/ipam/accounting/tracker.ts';
import type { PoolRow } from '../../../../src/ipam/model/pool.ts';
import { pod, trackerOf } from '../../../support/accounting.ts';
import { aBlock, aPool, ip, net } from '../../../support/builders.ts';

const lost = { lostOverlap: true, allocatable: false } as const;

const PROPERTY_POOLS = [
  aPool('outer', '10.0.0.0/16'),
  aPool('inner', '10.0.0.0/20'),
  aPool('small-blocks', '10.0.0.128/25', { blockSize: 28 }),
  aPool('nested', '10.0.1.0/24'),
  aPool('other', '10.1.0.0/16'),
  aPool('v6', 'fd00::/120'),
];

const VECTORS: readonly {
  v: string;
  pools: readonly PoolRow[];
  block: string;
  owner: string | undefined;
}[] = [
  {
    v: 'V45 narrower',
    pools: [aPool('outer', '10.0.0.0/16'), aPool('inner', '10.0.0.0/24')],
    block: '10.0.0.64/26',
    owner: 'inner',
  },
  {
    v: 'V46 fitting size',
    pools: [aPool('outer', '10.0.0.0/16', { blockSize: 28 }), aPool('inner', '10.0.0.0/24')],
    block: '10.0.0.0/28',
    owner: 'outer',
  },
  {
    v: 'V47 whole block',
    pools: [aPool('small', '10.0.0.0/27', { blockSize: 27 })],
    block: '10.0.0.0/26',
    owner: undefined,
  },
  {
    v: 'V48 disabled',
    pools: [aPool('outer', '10.0.0.0/16'), aPool('inner', '10.0.0.0/24', { disabled: true })],
    block: '10.0.0.0/26',
    owner: 'inner',
  },
  {
    v: 'V49 overlap loser',
    pools: [aPool('outer', '10.1.0.0/16'), aPool('inner', '10.1.0.0/24', lost)],
    block: '10.1.0.0/26',
    owner: 'outer',
  },
  {
    v: 'V50 terminating',
    pools: [
      aPool('going', '10.2.0.0/16', { terminating: true, allocatable: false }),
      aPool('inner', '10.2.0.0/24', lost),
    ],
    block: '10.2.0.0/26',
    owner: 'going',
  },
  {
    v: 'V51 lower name',
    pools: [aPool('b', '10.0.0.0/24'), aPool('a', '10.0.0.0/24')],
    block: '10.0.0.0/26',
    owner: 'a',
  },
  {
    v: 'V52 other family',
    pools: [aPool('all', '0.0.0.0/0')],
    block: 'fd00::/122',
    owner: undefined,
  },
  {
    v: 'V53 own family',
    pools: [aPool('all', '0.0.0.0/0'), aPool('v6', 'fd00::/64')],
    block: 'fd00::40/122',
    owner: 'v6',
  },
  {
    v: 'V54 size before overlap',
    pools: [aPool('outer', '10.0.0.0/16', { blockSize: 28 }), aPool('inner', '10.0.0.0/24', lost)],
    block: '10.0.0.0/26',
    owner: 'inner',
  },
  {
    v: 'V55 no size fits',
    pools: [
      aPool('outer', '10.0.0.0/16', { blockSize: 24 }),
      aPool('inner', '10.0.0.0/24', { blockSize: 28 }),
    ],
    block: '10.0.0.0/26',
    owner: 'inner',
  },
  { v: 'V56 small blocks', pools: PROPERTY_POOLS, block: '10.0.0.128/28', owner: 'small-blocks' },
  { v: 'V56 inner', pools: PROPERTY_POOLS, block: '10.0.4.0/26', owner: 'inner' },
  { v: 'V56 nested', pools: PROPERTY_POOLS, block: '10.0.1.64/26', owner: 'nested' },
  { v: 'V56 none', pools: PROPERTY_POOLS, block: '10.9.0.0/26', owner: undefined },
];

describe('ipam/accounting/attribution', () => {
  for (const { v, pools, block, owner } of VECTORS) {
    it(`${v}: ${block} belongs to ${owner ?? 'no pool'}`, () => {
      for (const order of [pools, [...pools].reverse()]) {
        expect(attributeBlock(order, net(block))?.key.name).to.equal(owner);
        expect(new PoolIndex(order).ownerOf(net(block))?.key.name).to.equal(owner);
      }
    });
  }

  it('V57 moves a block when pools come and go', () => {
    const block = net('10.0.0.0/26');
    const tracker = trackerOf([
      aPool('outer', '10.0.0.0/16'),
      aBlock('10.0.0.0/26', { 0: pod('node-a') }),
    ]);
    expect(tracker.poolOf(block)).to.equal('outer');
    tracker.setPool(aPool('inner', '10.0.0.0/24'));
    expect(tracker.poolOf(block)).to.equal('inner');
    expect(tracker.summarize('outer')).to.include({ inUse: 0, blocksInUse: 0 });
    tracker.removePool('inner');
    expect(tracker.poolOf(block)).to.equal('outer');
    tracker.removePool('outer');
    expect(tracker.blocks(OUTSIDE_POOLS).map(({ cidr }) => cidr)).to.deep.equal([block]);
  });

  it('V57 moves blocks when a pool changes its prefix under the same name', () => {
    const tracker = trackerOf([
      aPool('p', '10.0.0.0/24'),
      aBlock('10.0.0.0/26'),
      aBlock('10.1.0.0/26'),
    ]);
    tracker.setPool(aPool('p', '10.1.0.0/24'));
    expect(tracker.poolOf(net('10.0.0.0/26'))).to.equal(undefined);
    expect(tracker.poolOf(net('10.1.0.0/26'))).to.equal('p');
  });

  it('V58 finds blocks within a prefix, whoever owns them', () => {
    const tracker = trackerOf([
      aPool('outer', '10.0.0.0/16'),
      aPool('inner', '10.0.0.0/24'),
      aBlock('10.0.0.64/26'),
      aBlock('10.9.0.0/26'),
    ]);
    const has = (cidr: string) => tracker.hasBlocksWithin(net(cidr));
    expect([has('10.0.0.0/16'), has('10.1.0.0/16'), has('10.0.0.64/27')]).to.deep.equal([
      true,
      false,
      false,
    ]);
    tracker.removeBlock(net('10.0.0.64/26'));
    expect(has('10.0.0.0/16')).to.equal(false);
  });

  it('finds the enabled pool around an address', () => {
    const pools = [
      aPool('wide', '10.0.0.0/16'),
      aPool('narrow', '10.0.0.0/24', { disabled: true }),
      aPool('late', '10.0.0.0/25', lost),
      aPool('late-only', '10.3.0.0/16', lost),
    ];
    const nameAt = (address: string) => activePoolOf(pools, ip(address))?.key.name;
    expect(nameAt('10.0.0.1')).to.equal('wide');
    expect(nameAt('10.3.0.1')).to.equal('late-only');
    expect(nameAt('10.9.0.1')).to.equal(undefined);
    expect(activePoolOf([aPool('off', '10.0.0.0/8', { disabled: true })], ip('10.0.0.1'))).to.equal(
      undefined,
    );
  });

  it('lists every pool around an address', () => {
    const index = new PoolIndex(PROPERTY_POOLS);
    const names = index.poolsOf(ip('10.0.1.1')).map((pool) => pool.key.name);
    expect(names).to.have.members(['outer', 'inner', 'nested']);
    expect(index.poolsOf(ip('::'))).to.deep.equal([]);
  });
});
