import { expect } from 'chai';
import { affinityWithoutBlock } from '../../../../src/check/rules/affinity-without-block.ts';
import { NOW, aBlock, anAffinity, clusterOf } from '../../../support/builders.ts';
import { judge, restsOn, subjectsOf } from '../../../support/judge.ts';

const CIDR = '10.0.0.0/28';

describe('check/rules/affinity-without-block', () => {
  it('is quiet while the block exists, whoever owns it', () => {
    const rows = [aBlock(CIDR), anAffinity('node-a', CIDR), anAffinity('node-b', CIDR)];
    expect(judge(affinityWithoutBlock, clusterOf(rows))).to.be.empty;
  });

  it('leaves a fresh claim alone, whose row comes before its block', () => {
    const row = anAffinity('node-a', CIDR, { state: 'pending', createdAt: NOW - 1000 });
    expect(judge(affinityWithoutBlock, clusterOf([row]))).to.be.empty;
  });

  it('fires in every state that is no fresh claim', () => {
    const rows = [
      anAffinity('a', '10.0.0.0/28', { state: 'pending' }),
      anAffinity('b', '10.0.0.16/28', { state: 'pending', createdAt: undefined }),
      anAffinity('c', '10.0.0.32/28', { state: 'confirmed', createdAt: NOW - 1000 }),
      anAffinity('d', '10.0.0.48/28', { state: 'pendingDeletion', createdAt: NOW - 1000 }),
      anAffinity('e', '10.0.0.64/28', { state: '' }),
      anAffinity('load-balancer', '10.0.0.80/28', { type: 'virtual' }),
    ];
    const states = judge(affinityWithoutBlock, clusterOf(rows)).map(({ facts }) => facts['state']);
    expect(states).to.deep.equal([
      'pending',
      'pending',
      'confirmed',
      'pendingDeletion',
      'confirmed',
      'confirmed',
    ]);
  });

  it('says which owner claims what, and rests on row and block', () => {
    const state = clusterOf([anAffinity('node-a', CIDR)]);
    const [finding] = judge(affinityWithoutBlock, state);
    expect(finding?.subject).to.deep.equal({
      kind: 'BlockAffinity',
      name: 'node-a-10-0-0-0-28',
      cidr: CIDR,
      node: 'node-a',
    });
    expect(finding?.reason).to.equal(
      'Row node-a-10-0-0-0-28 (confirmed) says that node node-a owns block 10.0.0.0/28, but no such block exists.',
    );
    expect(finding?.remedy).to.contain('`ipamctl ipam repair --only affinity-without-block`');
    expect(restsOn(affinityWithoutBlock, state)).to.deep.equal([
      'IPAMBlock 10-0-0-0-28',
      'BlockAffinity node-a-10-0-0-0-28',
    ]);
  });

  it('takes a block of another size, or in soft deletion, for no block', () => {
    const rows = [
      aBlock('10.0.0.0/27'),
      aBlock(CIDR, {}, { deleted: true }),
      anAffinity('node-a', CIDR),
    ];
    expect(subjectsOf(affinityWithoutBlock, clusterOf(rows))).to.deep.equal(['node-a-10-0-0-0-28']);
  });

  it('does not call a block missing whose row cannot be read, in either datastore', () => {
    for (const name of ['10-0-0-0-28', 'ipv4/block/10.0.0.0-28']) {
      const block = {
        kind: 'IPAMBlock',
        key: { name },
        unreadable: 'spec.cidr is no CIDR',
      } as const;
      expect(judge(affinityWithoutBlock, clusterOf([block, anAffinity('node-a', CIDR)])), name).to
        .be.empty;
    }
  });
});
