import { expect } from 'chai';
import { affinityOfMissingNode } from '../../../../src/check/rules/affinity-of-missing-node.ts';
import {
  aBlock,
  aNode,
  aPod,
  anAffinity,
  clusterOf,
  coolingSlot,
  podSlot,
} from '../../../support/builders.ts';
import { aMachine } from '../../../support/settings-builders.ts';
import { judge, restsOn, subjectsOf } from '../../../support/judge.ts';

const CIDR = '10.0.0.0/28';
const GONE = { affinity: 'host:gone' };

describe('check/rules/affinity-of-missing-node', () => {
  it('is quiet for nodes, for virtual owners, and for blocks without owner', () => {
    const rows = [
      aNode('node-a'),
      aBlock(CIDR),
      anAffinity('node-a', CIDR),
      aBlock('10.0.0.16/28', {}, { affinity: 'virtual:load-balancer' }),
      anAffinity('load-balancer', '10.0.0.16/28', { type: 'virtual' }),
      aBlock('10.0.0.32/28', {}, { affinity: undefined }),
    ];
    expect(judge(affinityOfMissingNode, clusterOf(rows))).to.be.empty;
  });

  it('takes a node whose row cannot be read for a node', () => {
    const node = { kind: 'Node', key: { name: 'gone' }, unreadable: 'no tunnel address' } as const;
    expect(
      judge(
        affinityOfMissingNode,
        clusterOf([node, aBlock(CIDR, {}, GONE), anAffinity('gone', CIDR)]),
      ),
    ).to.be.empty;
  });

  it('is one finding for a block and its row', () => {
    const state = clusterOf([aBlock(CIDR, {}, GONE), anAffinity('gone', CIDR)]);
    const [finding, second] = judge(affinityOfMissingNode, state);
    expect(second).to.equal(undefined);
    expect(finding?.subject).to.deep.equal({
      kind: 'IPAMBlock',
      name: '10-0-0-0-28',
      cidr: CIDR,
      node: 'gone',
    });
    expect(finding?.facts).to.deep.include({
      hosts: ['gone'],
      claim: 'owner',
      rows: ['gone-10-0-0-0-28'],
      assigned: 0,
    });
    expect(finding?.reason).to.equal(
      'Block 10.0.0.0/28 belongs to gone, which is no node; it holds no address.',
    );
    expect(finding?.remedy).to.match(
      /^Let the empty block and its row go with `ipamctl ipam repair --only affinity-of-missing-node`/,
    );
    expect(restsOn(affinityOfMissingNode, state)).to.deep.equal([
      'IPAMBlock 10-0-0-0-28',
      'BlockAffinity gone-10-0-0-0-28',
      'Node gone',
    ]);
  });

  it('fires for a block without row and for a row without block', () => {
    const state = clusterOf([aBlock('10.0.0.16/28', {}, GONE), anAffinity('gone', CIDR)]);
    expect(subjectsOf(affinityOfMissingNode, state)).to.deep.equal([
      'gone-10-0-0-0-28',
      '10-0-0-16-28',
    ]);
    const [row] = judge(affinityOfMissingNode, state);
    expect(row?.reason).to.match(
      /claims block 10\.0\.0\.0\/28 for gone, which is no node; no such block exists\.$/,
    );
    expect(row?.remedy).to.match(
      /^Delete the row with `ipamctl ipam repair --only affinity-of-missing-node`/,
    );
  });

  it('sends a row that contradicts the block to the rule about conflicts', () => {
    const of = (affinity: string | undefined) =>
      judge(
        affinityOfMissingNode,
        clusterOf([aNode('node-a'), aBlock(CIDR, {}, { affinity }), anAffinity('gone', CIDR)]),
      )[0];
    expect(of('host:node-a')?.reason).to.match(/the block belongs to host:node-a\.$/);
    expect(of(undefined)?.reason).to.match(/the block has no owner\.$/);
    expect(of(undefined)?.remedy).to.contain('`ipamctl ipam repair --only conflicting-affinity`');
  });

  it('does not call a block missing that cannot be read', () => {
    const block = {
      kind: 'IPAMBlock',
      key: { name: '10-0-0-0-28' },
      unreadable: 'spec.cidr is no CIDR',
    } as const;
    const [finding] = judge(affinityOfMissingNode, clusterOf([block, anAffinity('gone', CIDR)]));
    expect(finding?.reason).to.match(/the block itself cannot be read\.$/);
    expect(finding?.remedy).to.match(/^Mend the row of the block first/);
  });

  it('names every absent host of one block, its owner first', () => {
    const [finding] = judge(
      affinityOfMissingNode,
      clusterOf([aBlock(CIDR, {}, GONE), anAffinity('away', CIDR)]),
    );
    expect(finding?.facts['hosts']).to.deep.equal(['gone', 'away']);
    expect(finding?.reason).to.contain('gone and away, which are no nodes');
  });

  it('says that live borrowed addresses remain', () => {
    const slots = {
      1: podSlot('shop/a', 'node-a'),
      2: podSlot('shop/b', 'gone'),
      3: podSlot('shop/c', 'gone'),
      4: coolingSlot(),
    };
    const rows = [
      aNode('node-a'),
      aBlock(CIDR, slots, GONE),
      aPod('shop/a', 'node-a', '10.0.0.1'),
      aPod('shop/b', 'node-a', '10.0.0.2'),
    ];
    const [finding] = judge(affinityOfMissingNode, clusterOf(rows));
    expect(finding?.facts).to.deep.include({
      assigned: 3,
      cooling: 1,
      live: 2,
      liveBorrowed: 1,
      maybeLive: 0,
    });
    expect(finding?.reason).to.contain(
      'it holds 4 addresses (2 in use by something alive, 1 borrowed by other nodes; 1 cooling)',
    );
    expect(finding?.remedy)
      .to.match(/^Leave the block while something alive uses it/)
      .and.contain('migrate rename-node');
  });

  it('does not say to release what may be alive', () => {
    const machine = {
      owner: { namespace: 'vms', 'vmi-name': 'db', node: 'gone' },
      handle: 'k8s-pod-network.vmi.vms.db',
    };
    const block = aBlock(CIDR, { 1: machine }, GONE);
    const kept = judge(affinityOfMissingNode, clusterOf([block, aMachine('vms/db')]))[0];
    expect(kept?.facts).to.deep.include({ live: 0, maybeLive: 1 });
    expect(kept?.remedy).to.match(/^Find out with `ipamctl ipam show --ip ADDRESS`/);
    const unknown = judge(
      affinityOfMissingNode,
      clusterOf([aBlock(CIDR, { 1: podSlot('shop/a', 'gone') }, GONE)], { without: ['Pod'] }),
    )[0];
    expect(unknown?.facts['maybeLive']).to.equal(1);
  });

  it('has leaked addresses released first and cooling ones waited for', () => {
    const of = (slot: ReturnType<typeof coolingSlot>) =>
      judge(affinityOfMissingNode, clusterOf([aBlock(CIDR, { 1: slot }, GONE)]))[0]?.remedy;
    expect(of(podSlot('shop/a', 'gone'))).to.match(
      /^Release its addresses with `ipamctl ipam release --node gone`/,
    );
    expect(of(coolingSlot())).to.match(/^Wait until its addresses have cooled/);
  });

  it('shows control characters of a host name as such', () => {
    const [finding] = judge(
      affinityOfMissingNode,
      clusterOf([aBlock(CIDR, {}, { affinity: 'host:gone\n' })]),
    );
    expect(finding?.subject.node).to.equal('gone\n');
    expect(finding?.reason).to.contain('belongs to "gone\\n"');
  });
});
