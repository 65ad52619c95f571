import { expect } from 'chai';
import { blockWithoutAffinity } from '../../../../src/check/rules/block-without-affinity.ts';
import { aBlock, aNode, anAffinity, clusterOf, podSlot } from '../../../support/builders.ts';
import { judge, restsOn, subjectsOf } from '../../../support/judge.ts';

const CIDR = '10.0.0.0/28';
const NODE = aNode('node-a');

describe('check/rules/block-without-affinity', () => {
  it('is quiet when the owner has its row, in any state', () => {
    for (const state of ['', 'pending', 'confirmed', 'pendingDeletion'] as const) {
      const rows = [NODE, aBlock(CIDR), anAffinity('node-a', CIDR, { state })];
      expect(judge(blockWithoutAffinity, clusterOf(rows)), state).to.be.empty;
    }
  });

  it('is quiet for a block that names nobody', () => {
    const blocks = [
      aBlock(CIDR, {}, { affinity: undefined }),
      aBlock('10.0.0.16/28', {}, { affinity: 'host:' }),
    ];
    expect(judge(blockWithoutAffinity, clusterOf(blocks))).to.be.empty;
  });

  it('fires for a host and for a virtual owner', () => {
    const blocks = [
      aBlock(CIDR),
      aBlock('10.0.0.16/28', {}, { affinity: 'virtual:load-balancer' }),
    ];
    const state = clusterOf([NODE, ...blocks]);
    const [host, virtual] = judge(blockWithoutAffinity, state);
    expect(host?.subject).to.deep.equal({
      kind: 'IPAMBlock',
      name: '10-0-0-0-28',
      cidr: CIDR,
      node: 'node-a',
    });
    expect(host?.reason).to.equal(
      'Block 10.0.0.0/28 belongs to node node-a, which has no affinity row for it.',
    );
    expect(host?.remedy).to.match(
      /^Make the row with `ipamctl ipam repair --only block-without-affinity`/,
    );
    expect(virtual?.subject.node).to.equal(undefined);
    expect(virtual?.reason).to.contain('belongs to virtual owner load-balancer');
  });

  it('does not take the row of another owner, or for another block, for the right one', () => {
    const rows = [
      NODE,
      aBlock(CIDR),
      anAffinity('node-b', CIDR),
      anAffinity('node-a', '10.0.0.0/27'),
    ];
    expect(subjectsOf(blockWithoutAffinity, clusterOf(rows))).to.deep.equal(['10-0-0-0-28']);
  });

  it('rests on the block, its rows, and the row that is missing', () => {
    const state = clusterOf([NODE, aBlock(CIDR), anAffinity('node-b', CIDR)]);
    expect(restsOn(blockWithoutAffinity, state)).to.deep.equal([
      'IPAMBlock 10-0-0-0-28',
      'BlockAffinity node-b-10-0-0-0-28',
      'BlockAffinity node-a-10-0-0-0-28',
    ]);
  });

  it('names the row of another type that has the name', () => {
    const rows = [NODE, aBlock(CIDR), anAffinity('node-a', CIDR, { type: 'virtual' })];
    const [finding] = judge(blockWithoutAffinity, clusterOf(rows));
    expect(finding?.facts['nameTakenBy']).to.equal('node-a-10-0-0-0-28');
    expect(finding?.remedy).to.contain('`ipamctl ipam repair --only conflicting-affinity`');
  });

  it('has the block go when its owner is no node', () => {
    const of = (block: ReturnType<typeof aBlock>) =>
      judge(blockWithoutAffinity, clusterOf([block]))[0]?.remedy;
    expect(of(aBlock(CIDR))).to.match(
      /^Let the block go with `ipamctl ipam repair --only affinity-of-missing-node`/,
    );
    expect(of(aBlock(CIDR, { 5: podSlot('shop/a', 'node-a') }))).to.match(
      /^Release its addresses with `ipamctl ipam release --node node-a`/,
    );
  });

  it('says nothing of the node where nodes were not read', () => {
    const [finding] = judge(blockWithoutAffinity, clusterOf([aBlock(CIDR)], { without: ['Node'] }));
    expect(finding?.facts['nodeMissing']).to.equal(undefined);
    expect(finding?.remedy).to.match(/^Make the row/);
  });

  it('does not call a row missing that cannot be read, in either datastore', () => {
    for (const name of ['node-a-10-0-0-0-28', 'host/node-a/ipv4/block/10.0.0.0-28']) {
      const row = {
        kind: 'BlockAffinity',
        key: { name },
        unreadable: 'spec.cidr is no CIDR',
      } as const;
      expect(judge(blockWithoutAffinity, clusterOf([NODE, aBlock(CIDR), row])), name).to.be.empty;
    }
  });
});
