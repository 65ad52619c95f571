import { expect } from 'chai';
import { missingHostLabel } from '../../../../src/check/rules/missing-host-label.ts';
import { anAffinity, clusterOf } from '../../../support/builders.ts';
import { judge, subjectsOf } from '../../../support/judge.ts';

describe('check/rules/missing-host-label', () => {
  it('is quiet for labelled rows, and where the datastore has no labels', () => {
    const rows = [
      anAffinity('node-a', '10.0.0.0/28'),
      anAffinity('node-b', '10.0.0.16/28', { labelled: undefined }),
    ];
    expect(judge(missingHostLabel, clusterOf(rows))).to.be.empty;
  });

  it('fires for a row without its label', () => {
    const [finding] = judge(
      missingHostLabel,
      clusterOf([anAffinity('node-a', '10.0.0.0/28', { labelled: false })]),
    );
    expect(finding?.subject).to.deep.equal({
      kind: 'BlockAffinity',
      name: 'node-a-10-0-0-0-28',
      cidr: '10.0.0.0/28',
      node: 'node-a',
    });
    expect(finding?.reason).to.match(
      /^Row node-a-10-0-0-0-28, by which node node-a owns block 10\.0\.0\.0\/28, lacks the label/,
    );
    expect(finding?.remedy).to.contain('`ipamctl ipam repair --only missing-host-label`');
  });

  it('names no node for a virtual owner', () => {
    const row = anAffinity('load-balancer', '10.0.0.0/28', { type: 'virtual', labelled: false });
    const [finding] = judge(missingHostLabel, clusterOf([row]));
    expect(finding?.subject.node).to.equal(undefined);
    expect(finding?.reason).to.contain('virtual owner load-balancer');
  });

  it('goes by the address of the block', () => {
    const rows = [
      anAffinity('node-a', 'fd00::/124', { labelled: false }),
      anAffinity('node-a', '10.0.0.16/28', { labelled: false }),
      anAffinity('node-z', '9.0.0.0/28', { labelled: false }),
    ];
    expect(subjectsOf(missingHostLabel, clusterOf(rows))).to.deep.equal([
      'node-z-9-0-0-0-28',
      'node-a-10-0-0-16-28',
      'node-a-fd00---124',
    ]);
  });
});
