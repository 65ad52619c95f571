import { expect } from 'chai';
import { conflictingAffinity } from '../../../../src/check/rules/conflicting-affinity.ts';
import {
  LONG_AGO,
  NOW,
  aBlock,
  anAffinity,
  clusterOf,
  podSlot,
} from '../../../support/builders.ts';
import { judge, restsOn, subjectsOf } from '../../../support/judge.ts';

const CIDR = '10.0.0.0/28';
const SLOTS = { 5: podSlot('shop/a', 'node-a') };

describe('check/rules/conflicting-affinity', () => {
  it('is quiet for the row of the owner, and for a row without block', () => {
    const rows = [
      aBlock(CIDR),
      anAffinity('node-a', CIDR),
      anAffinity('node-b', '10.0.0.16/28'),
      aBlock('10.0.0.32/28', {}, { affinity: 'virtual:load-balancer' }),
      anAffinity('load-balancer', '10.0.0.32/28', { type: 'virtual' }),
    ];
    expect(judge(conflictingAffinity, clusterOf(rows))).to.be.empty;
  });

  it('fires for the row that contradicts the block, not for the right one', () => {
    const state = clusterOf([aBlock(CIDR), anAffinity('node-a', CIDR), anAffinity('node-b', CIDR)]);
    const [finding, second] = judge(conflictingAffinity, state);
    expect(second).to.equal(undefined);
    expect(finding?.subject).to.deep.equal({
      kind: 'BlockAffinity',
      name: 'node-b-10-0-0-0-28',
      cidr: CIDR,
      node: 'node-b',
    });
    expect(finding?.reason).to.equal(
      'Row node-b-10-0-0-0-28 (confirmed) says that node node-b owns block 10.0.0.0/28, but the block belongs to node node-a.',
    );
    expect(finding?.remedy).to.match(
      /^Delete the row with `ipamctl ipam repair --only conflicting-affinity`/,
    );
    expect(restsOn(conflictingAffinity, state)).to.deep.equal([
      'IPAMBlock 10-0-0-0-28',
      'BlockAffinity node-a-10-0-0-0-28',
      'BlockAffinity node-b-10-0-0-0-28',
    ]);
  });

  it('takes an owner of the same name but another type for another one', () => {
    const rows = [aBlock(CIDR), anAffinity('node-a', CIDR, { type: 'virtual' })];
    const [finding] = judge(conflictingAffinity, clusterOf(rows));
    expect(finding?.reason)
      .to.contain('says that virtual owner node-a owns')
      .and.contain('belongs to node node-a');
  });

  it('fires for a row of a block without owner, and has it kept while the block holds addresses', () => {
    const judged = (slots: Parameters<typeof aBlock>[1]) =>
      judge(
        conflictingAffinity,
        clusterOf([aBlock(CIDR, slots, { affinity: undefined }), anAffinity('node-a', CIDR)]),
      )[0];
    expect(judged({})?.reason).to.contain('but the block has no owner');
    expect(judged({})?.remedy).to.match(/^Delete the row/);
    expect(judged(SLOTS)?.remedy).to.match(
      /^Leave the row while the block holds its 1 address\. .*--only affinity-without-block`/,
    );
  });

  it('fires for an affinity text that names nobody', () => {
    const [finding] = judge(
      conflictingAffinity,
      clusterOf([aBlock(CIDR, {}, { affinity: 'host:' }), anAffinity('node-a', CIDR)]),
    );
    expect(finding?.reason).to.contain('belongs to "host:"');
  });

  it('says to look again at a young row: the loser of a race takes it back', () => {
    const row = anAffinity('node-b', CIDR, { state: 'pending', createdAt: NOW - 1000 });
    const [finding] = judge(
      conflictingAffinity,
      clusterOf([aBlock(CIDR), anAffinity('node-a', CIDR), row]),
    );
    expect(finding?.facts['young']).to.equal(true);
    expect(finding?.remedy).to.match(/^Look again in a few minutes/);
  });

  it('fires once for two rows that claim a block that is not there', () => {
    const rows = [anAffinity('node-a', CIDR, { state: 'pending' }), anAffinity('node-b', CIDR)];
    const [finding, second] = judge(conflictingAffinity, clusterOf(rows));
    expect(second).to.equal(undefined);
    expect(finding?.subject.name).to.equal('node-a-10-0-0-0-28');
    expect(finding?.reason).to.contain(
      'which row node-b-10-0-0-0-28 claims too; no such block exists',
    );
    expect(finding?.remedy).to.contain('`ipamctl ipam repair --only affinity-without-block`');
  });

  it('fires for a second row of the owner under another name', () => {
    const rows = [
      aBlock(CIDR),
      anAffinity('node-a', CIDR, { key: { name: 'a-copy' }, createdAt: LONG_AGO - 1000 }),
      anAffinity('node-a', CIDR),
    ];
    expect(subjectsOf(conflictingAffinity, clusterOf(rows))).to.deep.equal(['a-copy']);
  });

  it('says nothing while the block cannot be read', () => {
    const block = {
      kind: 'IPAMBlock',
      key: { name: '10-0-0-0-28' },
      unreadable: 'spec.cidr is no CIDR',
    } as const;
    const rows = [block, anAffinity('node-a', CIDR), anAffinity('node-b', CIDR)];
    expect(judge(conflictingAffinity, clusterOf(rows))).to.be.empty;
  });

  it('goes by the address of the block, then by row', () => {
    const cidrs = ['fd00::/124', '10.0.0.16/28', '9.0.0.0/28'];
    const rows = cidrs.flatMap((cidr) => [
      aBlock(cidr),
      anAffinity('y', cidr),
      anAffinity('x', cidr),
    ]);
    expect(subjectsOf(conflictingAffinity, clusterOf(rows))).to.deep.equal([
      'x-9-0-0-0-28',
      'y-9-0-0-0-28',
      'x-10-0-0-16-28',
      'y-10-0-0-16-28',
      'x-fd00---124',
      'y-fd00---124',
    ]);
  });
});
