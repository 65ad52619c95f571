import { expect } from 'chai';
import { reservedAddressInUse } from '../../../../src/check/rules/reserved-address-in-use.ts';
import {
  aBlock,
  aReservation,
  clusterOf,
  coolingSlot,
  podSlot,
} from '../../../support/builders.ts';
import { judge, subjectsOf } from '../../../support/judge.ts';

const BLOCK = aBlock('10.0.0.0/28', { 5: podSlot('shop/a', 'node-a'), 9: coolingSlot() });

describe('check/rules/reserved-address-in-use', () => {
  it('fires for an allocated address that a reservation covers', () => {
    const [finding, second] = judge(
      reservedAddressInUse,
      clusterOf([BLOCK, aReservation('lab', '10.0.0.4/30')]),
    );
    expect(second).to.equal(undefined);
    expect(finding?.subject).to.include({ address: '10.0.0.5', node: 'node-a' });
    expect(finding?.reason).to.equal(
      '10.0.0.5 is allocated to pod shop/a, although reservation lab covers it.',
    );
    expect(finding?.releasable).to.equal(false);
  });

  it('names every reservation that covers it', () => {
    const rows = [
      BLOCK,
      aReservation('b', '10.0.0.5/32'),
      aReservation('a', '10.0.0.0/29'),
      aReservation('c', 'fd00::/64'),
    ];
    expect(judge(reservedAddressInUse, clusterOf(rows))[0]?.reason).to.contain(
      'although reservations a and b cover it',
    );
  });

  it('counts cooling addresses, which are in use', () => {
    const [finding] = judge(
      reservedAddressInUse,
      clusterOf([BLOCK, aReservation('lab', '10.0.0.8/29')]),
    );
    expect(finding?.subject.address).to.equal('10.0.0.9');
    expect(finding?.reason).to.contain('still cooling down');
  });

  it('is quiet elsewhere and without reservations', () => {
    expect(subjectsOf(reservedAddressInUse, clusterOf([BLOCK, aReservation('lab', '10.0.1.0/24')])))
      .to.be.empty;
    expect(subjectsOf(reservedAddressInUse, clusterOf([BLOCK, aReservation('lab', '10.0.0.0/30')])))
      .to.be.empty;
    expect(subjectsOf(reservedAddressInUse, clusterOf([BLOCK]))).to.be.empty;
  });
});
