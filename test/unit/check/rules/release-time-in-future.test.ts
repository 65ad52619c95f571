import { expect } from 'chai';
import { releaseTimeInFuture } from '../../../../src/check/rules/release-time-in-future.ts';
import { aBlock, clusterOf, coolingSlot, podSlot } from '../../../support/builders.ts';
import { judge, subjectsOf } from '../../../support/judge.ts';

describe('check/rules/release-time-in-future', () => {
  it('fires for a cooling address that was released after now', () => {
    const [finding] = judge(
      releaseTimeInFuture,
      clusterOf([aBlock('10.0.0.0/28', { 5: coolingSlot(-3_600_000) })]),
    );
    expect(finding?.subject).to.deep.equal({
      kind: 'Address',
      name: '10.0.0.5',
      address: '10.0.0.5',
      cidr: '10.0.0.0/28',
    });
    expect(finding?.reason).to.equal(
      '10.0.0.5 is cooling down since 2026-11-29T13:00:00Z, which is 60 minutes ahead of the clock here.',
    );
  });

  it('is quiet for addresses released until now and for assigned ones', () => {
    const block = aBlock('10.0.0.0/28', {
      1: coolingSlot(0),
      2: coolingSlot(1000),
      3: podSlot('a/b', 'node-a'),
    });
    expect(subjectsOf(releaseTimeInFuture, clusterOf([block]))).to.be.empty;
  });

  it('reports in order of address, across overlapping blocks', () => {
    const rows = [
      aBlock('10.0.0.0/27', { 20: coolingSlot(-1000), 3: coolingSlot(-1000) }),
      aBlock('10.0.0.0/28', { 9: coolingSlot(-1000) }),
    ];
    expect(subjectsOf(releaseTimeInFuture, clusterOf(rows))).to.deep.equal([
      '10.0.0.3',
      '10.0.0.9',
      '10.0.0.20',
    ]);
  });
});
