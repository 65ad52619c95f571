import { expect } from 'chai';
import { freeOf } from '../../../../src/ipam/accounting/counts.ts';
import { nearlyFullPercent } from '../../../../src/ipam/accounting/nearly-full.ts';
import { pod, trackerOf } from '../../../support/accounting.ts';
import { aBlock, aPool } from '../../../support/builders.ts';

const VECTORS = [
  { v: 'V79', total: 256n, inUse: 204, reserved: 0n, both: 0, percent: undefined },
  { v: 'V79', total: 256n, inUse: 205, reserved: 0n, both: 0, percent: 80 },
  { v: 'V80', total: 256n, inUse: 200, reserved: 5n, both: 0, percent: 80 },
  { v: 'V81', total: 256n, inUse: 204, reserved: 10n, both: 10, percent: undefined },
  { v: 'V82', total: 64n, inUse: 52, reserved: 0n, both: 0, percent: 81 },
  { v: 'V82', total: 32n, inUse: 31, reserved: 0n, both: 0, percent: undefined },
  { v: 'V83', total: 256n, inUse: 256, reserved: 0n, both: 0, percent: 100 },
  { v: 'V83', total: 2n ** 64n, inUse: 100_000, reserved: 0n, both: 0, percent: undefined },
];

describe('ipam/accounting/nearly-full', () => {
  for (const { v, total, inUse, reserved, both, percent } of VECTORS) {
    it(`${v} answers ${percent ?? 'no'} for ${inUse} in use and ${reserved} reserved of ${total}`, () => {
      expect(nearlyFullPercent({ total, inUse, reserved, inUseReserved: both })).to.equal(percent);
    });
  }

  it('V84 judges a pool that lost an overlap right once it is marked', () => {
    const slots = Object.fromEntries(
      Array.from({ length: 52 }, (_, ordinal) => [ordinal, pod('node-a')]),
    );
    const narrow = aPool('narrow', '10.0.0.0/26');
    const tracker = trackerOf([
      aPool('wide', '10.0.0.0/25'),
      narrow,
      aBlock('10.0.0.0/26', slots),
      aBlock('10.0.0.64/26', slots),
    ]);
    tracker.setPool({ ...narrow, lostOverlap: true, allocatable: false });
    const wide = tracker.summarize('wide');
    expect(wide).to.include({ inUse: 104, total: 128n });
    expect(wide && nearlyFullPercent(wide)).to.equal(81);
    expect(tracker.summarize('narrow')).to.include({ blocksInUse: 0 });
    expect(tracker.hasLostOverlap('narrow')).to.equal(true);
  });

  it('never gives a negative number of free addresses', () => {
    expect(freeOf({ total: 4n, reserved: 4n, inUse: 2, inUseReserved: 0 })).to.equal(0n);
  });
});
