import { expect } from 'chai';
import { invalidBlock } from '../../../../src/check/rules/invalid-block.ts';
import { aBlock, clusterOf, podSlot } from '../../../support/builders.ts';
import { judge, subjectsOf } from '../../../support/judge.ts';

describe('check/rules/invalid-block', () => {
  it('is quiet for a sound block', () => {
    const block = aBlock('10.0.0.0/28', { 5: podSlot('shop/a', 'node-a') });
    expect(judge(invalidBlock, clusterOf([block]))).to.be.empty;
  });

  it('lists every defect of a block in one finding', () => {
    const block = aBlock(
      '10.0.0.0/28',
      {},
      {
        allocations: [...Array<null>(14).fill(null), 7],
        misreadings: ['spec.attributes is no list'],
      },
    );
    const findings = judge(invalidBlock, clusterOf([block]));
    expect(findings).to.have.length(1);
    expect(findings[0]?.subject).to.deep.equal({
      kind: 'IPAMBlock',
      name: '10-0-0-0-28',
      cidr: '10.0.0.0/28',
      node: 'node-a',
    });
    expect(findings[0]?.facts['defects']).to.have.length(4);
    expect(findings[0]?.reason)
      .to.match(
        /^Block 10\.0\.0\.0\/28 is damaged: spec\.attributes is no list; it records 15 slots for 16 addresses; /,
      )
      .and.contain('slot 14 points to an attribute that does not exist');
  });

  it('warns of the workloads of a block that holds addresses', () => {
    const block = aBlock('10.0.0.0/28', { 5: podSlot('shop/a', 'node-a') }, { unallocated: [5] });
    const [finding] = judge(invalidBlock, clusterOf([block]));
    expect(finding?.facts['inUse']).to.equal(1);
    expect(finding?.remedy).to.contain('recreate the pods that use it');
  });

  it('goes by address', () => {
    const damaged = { unallocated: [0, 0] };
    const blocks = ['fd00::/124', '10.0.0.16/28', '9.0.0.0/28'].map((cidr) =>
      aBlock(cidr, {}, damaged),
    );
    expect(subjectsOf(invalidBlock, clusterOf(blocks))).to.deep.equal([
      '9-0-0-0-28',
      '10-0-0-16-28',
      'fd00---124',
    ]);
  });
});
