import { expect } from 'chai';
import { reservedSet } from '../../../../src/ipam/accounting/reserved-set.ts';
import { freeOf } from '../../../../src/ipam/accounting/counts.ts';
import { OUTSIDE_POOLS } from '../../../../src/ipam/accounting/tracker.ts';
import { cool, pod, summaryOf, trackerOf } from '../../../support/accounting.ts';
import { aBlock, aPool, aReservation, ip, net } from '../../../support/builders.ts';

const p = aPool('p', '10.0.0.0/24');
const BLOCK = net('10.0.0.0/26');

describe('ipam/accounting reservations', () => {
  it('V20 counts what is reserved and in use, and stops when the reservation goes', () => {
    const block = aBlock('10.0.0.0/26', { 0: pod('node-a'), 1: pod('node-a'), 2: cool });
    const tracker = trackerOf([
      p,
      block,
      aReservation('r', '10.0.0.1/32', '10.0.0.2/32', '10.0.0.200/32'),
    ]);
    expect(countsOf(tracker)).to.include({ reserved: 3n, inUseReserved: 2, free: 252n });
    tracker.removeReservation('r');
    expect(countsOf(tracker)).to.include({ reserved: 0n, inUseReserved: 0, free: 253n });
  });

  it('V21 counts a block that comes after the reservation', () => {
    const block = aBlock('10.0.0.0/26', { 1: pod('node-a'), 9: pod('node-a') });
    expect(summaryOf([p, aReservation('r', '10.0.0.0/30'), block])).to.include({
      inUseReserved: 1,
    });
  });

  const COVERAGES = [
    { v: 'V33', cidrs: ['10.0.0.32/30'], pool: [256n, 1, 4n, 251n], block: [64n, 1, 4n, 59n] },
    { v: 'V34', cidrs: ['10.0.0.128/25'], pool: [256n, 1, 128n, 127n], block: [64n, 1, 0n, 63n] },
    { v: 'V35', cidrs: ['10.0.0.5/32'], pool: [256n, 1, 1n, 255n], block: [64n, 1, 1n, 63n] },
    {
      v: 'V36',
      cidrs: ['10.0.0.0/25', '10.0.0.5/32', '10.0.0.64/26'],
      pool: [256n, 1, 128n, 128n],
      block: [64n, 1, 64n, 0n],
    },
  ] as const;

  for (const { v, cidrs, pool, block } of COVERAGES) {
    it(`${v} counts pool and block under ${cidrs.join(' + ')}`, () => {
      const tracker = trackerOf([
        p,
        aBlock('10.0.0.0/26', { 5: pod('node-a') }),
        aReservation('r', ...cidrs),
      ]);
      const counts = tracker.summarize('p');
      expect(counts && [counts.total, counts.inUse, counts.reserved, freeOf(counts)]).to.deep.equal(
        pool,
      );
      const own = tracker.block(BLOCK);
      expect(own && [own.total, own.inUse, own.reserved, freeOf(own)]).to.deep.equal(block);
    });
  }

  it('V37 counts a cooling address under a reservation', () => {
    const tracker = trackerOf([p, aBlock('10.0.0.0/26', { 5: pod('node-a'), 6: cool })]);
    expect(blockOf(tracker)).to.include({ inUse: 2, cooling: 1, free: 62n });
    tracker.setReservation(aReservation('r', '10.0.0.4/30'));
    expect(blockOf(tracker)).to.include({ reserved: 4n, inUseReserved: 2, free: 60n });
    tracker.removeReservation('r');
    expect(blockOf(tracker)).to.include({ reserved: 0n, inUseReserved: 0 });
  });

  it('V38 counts no more than the pool, and nothing elsewhere', () => {
    expect(summaryOf([p, aReservation('r', '10.0.0.0/16')])).to.include({ reserved: 256n });
    expect(summaryOf([p, aReservation('r', '192.168.0.0/24', 'fd00::/120')])).to.include({
      reserved: 0n,
    });
  });

  it('V39 counts overlapping reservations once', () => {
    const rows = [
      aReservation('a', '10.0.0.0/28', '10.0.0.4/32'),
      aReservation('b', '10.0.0.8/29', '10.1.0.0/24'),
    ];
    expect(summaryOf([p, ...rows])).to.include({ reserved: 16n });
  });

  it('V40 takes a mapped prefix as the IPv4 prefix', () => {
    const rows = [
      aPool('mapped', '10.9.0.0/24'),
      p,
      aBlock('10.9.0.0/26', { 5: pod('node-a') }),
      aReservation('r', '::ffff:10.9.0.0/120', '10.0.0.0/30'),
    ];
    expect(summaryOf(rows, 'mapped')).to.include({ reserved: 256n, inUseReserved: 1 });
    expect(summaryOf(rows)).to.include({ reserved: 4n });
  });

  it('V41 reserves nothing for unreadable entries', () => {
    const row = {
      ...aReservation('r', '10.0.0.0/24'),
      unreadableEntries: ['', '   ', 'not-a-cidr', '10.0.0.0/33'],
    };
    expect(reservedSet([row]).size).to.equal(256n);
  });

  it('V42 contains what is reserved and nothing else', () => {
    const set = reservedSet([aReservation('r', '10.0.0.0/30')]);
    expect(set.contains(ip('10.0.0.3'))).to.equal(true);
    expect(set.contains(ip('10.0.0.4'))).to.equal(false);
    expect(reservedSet([]).contains(ip('10.0.0.3'))).to.equal(false);
  });

  it('V43 counts IPv6', () => {
    expect(summaryOf([aPool('p', 'fd00::/120'), aReservation('r', 'fd00::/126')])).to.include({
      total: 256n,
      reserved: 4n,
    });
  });

  it('V44 changes nothing for a reservation elsewhere or an absent name', () => {
    const tracker = trackerOf([
      p,
      aBlock('10.0.0.0/26', { 5: pod('node-a') }),
      aReservation('r', '10.0.0.5/32'),
    ]);
    tracker.setReservation(aReservation('elsewhere', '10.7.0.0/24'));
    tracker.removeReservation('absent');
    expect(countsOf(tracker)).to.include({ inUseReserved: 1, reserved: 1n });
  });

  it('counts reserved addresses of blocks outside every pool', () => {
    const tracker = trackerOf([
      aBlock('10.0.0.0/26', { 5: pod('node-a') }),
      aReservation('r', '10.0.0.5/32'),
    ]);
    expect(tracker.summarize(OUTSIDE_POOLS)).to.include({ inUseReserved: 1, reserved: 0n });
    expect(blockOf(tracker)).to.include({ reserved: 1n, inUseReserved: 1, free: 63n });
  });
});

function countsOf(tracker: ReturnType<typeof trackerOf>) {
  const counts = tracker.summarize('p');
  return counts && { ...counts, free: freeOf(counts) };
}

function blockOf(tracker: ReturnType<typeof trackerOf>) {
  const counts = tracker.block(BLOCK);
  return counts && { ...counts, free: freeOf(counts) };
}
