import { expect } from 'chai';
import { cooldownExpired } from '../../../../src/check/rules/cooldown-expired.ts';
import { aBlock, clusterOf, coolingSlot, podSlot } from '../../../support/builders.ts';
import { aConfig } from '../../../support/settings-builders.ts';
import { judge, subjectsOf } from '../../../support/judge.ts';

const BLOCK = aBlock('10.0.0.0/28', {
  1: coolingSlot(300_000),
  2: coolingSlot(300_001),
  3: podSlot('a/b', 'node-a'),
});

describe('check/rules/cooldown-expired', () => {
  it('fires for an address that cools for longer than configured', () => {
    const [finding, second] = judge(
      cooldownExpired,
      clusterOf([BLOCK, aConfig({ ipCooldownSeconds: 300 })]),
    );
    expect(second).to.equal(undefined);
    expect(finding?.subject).to.include({ address: '10.0.0.2', cidr: '10.0.0.0/28' });
    expect(finding?.reason).to.contain(
      '5 minutes ago, and is still cooling down, although 300 seconds are configured',
    );
  });

  it('takes a configuration that does not exist for no cooldown at all', () => {
    expect(subjectsOf(cooldownExpired, clusterOf([BLOCK]))).to.deep.equal(['10.0.0.1', '10.0.0.2']);
  });

  it('needs the configuration to have been read', () => {
    expect(cooldownExpired.needs).to.include('IPAMConfig');
  });

  it('is quiet for a release time in the future', () => {
    expect(
      subjectsOf(cooldownExpired, clusterOf([aBlock('10.0.0.0/28', { 1: coolingSlot(-1000) })])),
    ).to.be.empty;
  });
});
