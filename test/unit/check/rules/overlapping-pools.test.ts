import { expect } from 'chai';
import { overlappingPools } from '../../../../src/check/rules/overlapping-pools.ts';
import { aPool, clusterOf } from '../../../support/builders.ts';
import { judge } from '../../../support/judge.ts';

describe('check/rules/overlapping-pools', () => {
  it('is quiet for pools side by side and of other families', () => {
    const pools = [aPool('a', '10.0.0.0/24'), aPool('b', '10.0.1.0/24'), aPool('c', '::/0')];
    expect(judge(overlappingPools, clusterOf(pools))).to.be.empty;
  });

  it('is one finding a pair, the wider pool first', () => {
    const pools = [
      aPool('a', '10.0.1.0/24'),
      aPool('b', '10.0.0.0/16'),
      aPool('c', '10.0.1.0/26'),
      aPool('d', '10.0.2.0/24'),
    ];
    const pairs = judge(overlappingPools, clusterOf(pools)).map(
      ({ subject, facts }) => `${subject.name} ${String(facts['shared'])}`,
    );
    expect(pairs).to.deep.equal([
      'b 10.0.1.0/24',
      'b 10.0.1.0/26',
      'b 10.0.2.0/24',
      'a 10.0.1.0/26',
    ]);
  });

  it('fires for two pools of one prefix, by name', () => {
    const [finding] = judge(
      overlappingPools,
      clusterOf([aPool('b', '10.0.0.0/24'), aPool('a', '10.0.0.0/24')]),
    );
    expect(finding?.reason).to.equal(
      'Pools a (10.0.0.0/24) and b (10.0.0.0/24) share the addresses of 10.0.0.0/24.',
    );
    expect(finding?.remedy).to.match(/^Keep one of the two/);
  });

  it('names the pool that lost the overlap, else the disabled one, as the one to go', () => {
    const wide = aPool('wide', '10.0.0.0/16', { disabled: true });
    const lost = judge(
      overlappingPools,
      clusterOf([wide, aPool('late', '10.0.0.0/24', { lostOverlap: true })]),
    )[0];
    expect(lost?.reason).to.equal(
      'Pools wide (10.0.0.0/16, disabled) and late (10.0.0.0/24, refused by Calico for the overlap) share the addresses of 10.0.0.0/24.',
    );
    expect(lost?.remedy).to.match(/^Delete pool late once/);
    expect(
      judge(overlappingPools, clusterOf([wide, aPool('late', '10.0.0.0/24')]))[0]?.remedy,
    ).to.match(/^Delete pool wide once/);
  });
});
