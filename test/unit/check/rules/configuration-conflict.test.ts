import { expect } from 'chai';
import { configurationConflict } from '../../../../src/check/rules/configuration-conflict.ts';
import { clusterOf } from '../../../support/builders.ts';
import { aConfig } from '../../../support/settings-builders.ts';
import { judge } from '../../../support/judge.ts';

describe('check/rules/configuration-conflict', () => {
  it('is quiet without a configuration object, with the defaults, and under strict affinity', () => {
    const quiet = [
      [],
      [aConfig()],
      [aConfig({ strictAffinity: true, maxBlocksPerHost: 4, autoAllocateBlocks: false })],
      [aConfig({ key: { name: 'other' }, maxBlocksPerHost: 4 })],
    ];
    for (const rows of quiet) expect(judge(configurationConflict, clusterOf(rows))).to.be.empty;
  });

  it('fires for a block limit without strict affinity', () => {
    const [finding] = judge(configurationConflict, clusterOf([aConfig({ maxBlocksPerHost: 1 })]));
    expect(finding?.subject).to.deep.equal({ kind: 'IPAMConfig', name: 'default' });
    expect(finding?.facts).to.deep.equal({
      conflict: 'block-limit-without-strict-affinity',
      strictAffinity: false,
      autoAllocateBlocks: true,
      maxBlocksPerHost: 1,
    });
    expect(finding?.reason).to.contain('limits a host to 1 block, but strict affinity is off');
    expect(finding?.remedy)
      .to.contain('`ipamctl ipam configure --strictaffinity=true`')
      .and.contain('`ipamctl ipam configure --max-blocks-per-host=0`');
  });

  it('fires for neither strict affinity nor new blocks', () => {
    const [finding] = judge(
      configurationConflict,
      clusterOf([aConfig({ autoAllocateBlocks: false })]),
    );
    expect(finding?.reason).to.contain(
      'turns both strict affinity and the allocation of new blocks off',
    );
    expect(finding?.remedy).to.contain('`ipamctl ipam configure --auto-allocate-blocks=true`');
  });

  it('reports each broken rule', () => {
    const state = clusterOf([aConfig({ autoAllocateBlocks: false, maxBlocksPerHost: 4 })]);
    expect(judge(configurationConflict, state)).to.have.length(2);
  });
});
