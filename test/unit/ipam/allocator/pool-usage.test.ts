import { expect } from 'chai';
import { reservedSet } from '../../../../src/ipam/accounting/reserved-set.ts';
import {
  blockUsage,
  ORPHANED_BLOCKS,
  poolUsages,
  type Usage,
} from '../../../../src/ipam/allocator/pool-usage.ts';
import { cidrSize } from '../../../../src/net/cidr.ts';
import { aBlock, aPool, aReservation, net, podSlot } from '../../../support/builders.ts';

const held = podSlot('shop/a', 'node-a');
const pool = aPool('p', '172.30.4.0/24', { blockSize: 26 });
const block = aBlock('172.30.4.0/26', { 5: held });
const numbers = ({ capacity, inUse, reserved, available }: Usage): readonly bigint[] => [
  capacity,
  inUse,
  reserved,
  available,
];

function usages(...reserved: string[]): readonly (readonly bigint[])[] {
  const [first] = poolUsages({
    pools: [pool],
    blocks: [block],
    reserved: reservedSet([aReservation('r', ...reserved)]),
  });
  return first ? [numbers(first), ...first.blocks.map(numbers)] : [];
}

describe('ipam/allocator/pool-usage', () => {
  const cases: readonly (readonly [
    string,
    readonly string[],
    readonly bigint[],
    readonly bigint[],
  ])[] = [
    [
      'U-1 reserved addresses beside the one in use',
      ['172.30.4.16/29'],
      [256n, 1n, 8n, 247n],
      [64n, 1n, 8n, 55n],
    ],
    [
      'U-2 reserved addresses without a block',
      ['172.30.4.128/25'],
      [256n, 1n, 128n, 127n],
      [64n, 1n, 0n, 63n],
    ],
    [
      'U-3 the address in use, reserved',
      ['172.30.4.5/32'],
      [256n, 1n, 1n, 255n],
      [64n, 1n, 1n, 63n],
    ],
    [
      'U-4 nested reservations once',
      ['172.30.4.0/25', '172.30.4.5/32', '172.30.4.64/26'],
      [256n, 1n, 128n, 128n],
      [64n, 1n, 64n, 0n],
    ],
  ];
  for (const [name, reserved, ofPool, ofBlock] of cases) {
    it(`${name.slice(0, 3)} counts ${name.slice(4)}`, () => {
      expect(usages(...reserved)).to.deep.equal([ofPool, ofBlock]);
    });
  }

  it('U-5 counts reserved addresses as a set', () => {
    const reserved = reservedSet([
      aReservation('r', '10.50.0.0/27', '10.50.0.8/29', '10.50.0.3/32', '10.60.0.0/16'),
    ]);
    const [first] = poolUsages({ pools: [aPool('p', '10.50.0.0/25')], blocks: [], reserved });
    expect(first && numbers(first)).to.deep.equal([128n, 0n, 32n, 96n]);
  });

  it('U-6 ends at the largest integer of 64 bits', () => {
    const [first] = poolUsages({
      pools: [aPool('p', 'fd00::/8')],
      blocks: [],
      reserved: reservedSet([]),
    });
    expect(first?.capacity).to.equal(2n ** 63n - 1n);
    expect(first?.available).to.equal(2n ** 63n - 1n);
  });

  it('U-8 to U-10 take reservations as a set: what covers a range, and what does not', () => {
    const covers = (range: string, ...reserved: string[]): boolean =>
      reservedSet([aReservation('r', ...reserved)]).sizeWithin(net(range)) === cidrSize(net(range));
    expect(covers('10.8.0.0/26', '10.8.0.0/27', '10.8.0.32/27')).to.equal(true);
    expect(covers('10.8.0.0/25', '10.8.0.0/27', '10.8.0.32/27')).to.equal(false);
    expect(
      covers('10.8.0.0/26', '10.8.0.0/27', '10.8.0.0/28', '10.8.0.32/27', '10.8.0.32/27'),
    ).to.equal(true);
    expect(covers('10.8.0.0/26', '10.8.0.0/27', '10.8.0.32/28')).to.equal(false);
  });

  it('Q-26 and Q-27 count a block', () => {
    const four = aBlock('10.0.0.0/24', { 5: held, 9: held, 200: held, 201: held });
    const half = reservedSet([aReservation('r', '10.0.0.128/25')]);
    expect(numbers(blockUsage(four, half))).to.deep.equal([256n, 4n, 128n, 126n]);
    const whole = reservedSet([aReservation('r', '10.0.0.0/24')]);
    expect(numbers(blockUsage(four, whole))).to.deep.equal([256n, 4n, 256n, 0n]);
  });

  it('gathers IPv4 blocks without a pool at the end, without totals, and leaves those of IPv6 out', () => {
    const blocks = [aBlock('10.9.0.0/26', { 0: held }), aBlock('fd99::/122', { 0: held })];
    const all = poolUsages({ pools: [pool], blocks, reserved: reservedSet([]) });
    expect(all.map(({ name }) => name)).to.deep.equal(['p', ORPHANED_BLOCKS]);
    expect(all[1] && numbers(all[1])).to.deep.equal([0n, 0n, 0n, 0n]);
    expect(all[1]?.blocks).to.have.length(1);
  });

  it('shows the pools that are named, by name or prefix, and leaves out what is no pool', () => {
    const other = aPool('other', '10.0.0.0/24');
    const named = (...wanted: string[]): readonly string[] =>
      poolUsages({ pools: [other, pool], blocks: [], reserved: reservedSet([]), wanted }).map(
        ({ name }) => name,
      );
    expect(named('p')).to.deep.equal(['p']);
    expect(named('172.30.4.0/24', 'nothing', '10.0.0.0/25')).to.deep.equal(['p']);
  });
});
