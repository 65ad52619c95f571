import { expect } from 'chai';
import { nodeAttributeMismatch } from '../../../../src/check/rules/node-attribute-mismatch.ts';
import { aBlock, aNode, aPod, clusterOf, podSlot, tunnelSlot } from '../../../support/builders.ts';
import { judge, subjectsOf } from '../../../support/judge.ts';

const NODES = [aNode('node-a'), aNode('node-b')];
const BLOCK = aBlock('10.0.0.0/28', { 5: podSlot('shop/a', 'node-b') });

describe('check/rules/node-attribute-mismatch', () => {
  it('is quiet while the pod runs where the allocation says', () => {
    expect(
      subjectsOf(
        nodeAttributeMismatch,
        clusterOf([...NODES, BLOCK, aPod('shop/a', 'node-b', '10.0.0.5')]),
      ),
    ).to.be.empty;
  });

  it('fires when the pod that carries the address runs elsewhere', () => {
    const [finding] = judge(
      nodeAttributeMismatch,
      clusterOf([...NODES, BLOCK, aPod('shop/a', 'node-a', '10.0.0.5')]),
    );
    expect(finding?.subject.address).to.equal('10.0.0.5');
    expect(finding?.reason).to.equal(
      '10.0.0.5 is allocated for node "node-b", but carried by pod shop/a on node node-a.',
    );
  });

  it('offers a rename where the named node does not exist', () => {
    const rows = [NODES[0] ?? aNode('node-a'), BLOCK, aPod('shop/a', 'node-a', '10.0.0.5')];
    expect(judge(nodeAttributeMismatch, clusterOf(rows))[0]?.remedy).to.contain(
      '`ipamctl datastore migrate rename-node node-b node-a`',
    );
  });

  it('is quiet when the pod does not carry the address, or another pod does', () => {
    expect(subjectsOf(nodeAttributeMismatch, clusterOf([BLOCK, aPod('shop/a', 'node-a')]))).to.be
      .empty;
    expect(
      subjectsOf(nodeAttributeMismatch, clusterOf([BLOCK, aPod('shop/b', 'node-a', '10.0.0.5')])),
    ).to.be.empty;
  });

  it('is quiet without a node attribute and for other kinds', () => {
    const block = aBlock('10.0.0.0/28', {
      5: { handle: 'x', owner: { namespace: 'shop', pod: 'a' } },
      6: tunnelSlot('node-b'),
    });
    const rows = [
      block,
      aPod('shop/a', 'node-b', '10.0.0.5'),
      aNode('node-a', { vxlan: '10.0.0.6' }),
    ];
    expect(subjectsOf(nodeAttributeMismatch, clusterOf(rows))).to.be.empty;
  });

  it('judges only the active side of a live migration', () => {
    const moving = podSlot('vms/src', 'node-a', {
      alternateOwner: { namespace: 'vms', pod: 'dst', node: 'node-b' },
    });
    const rows = [aBlock('10.0.0.0/28', { 5: moving }), aPod('vms/dst', 'node-b', '10.0.0.5')];
    expect(
      subjectsOf(
        nodeAttributeMismatch,
        clusterOf([...rows, aPod('vms/src', 'node-a', '10.0.0.5')]),
      ),
    ).to.be.empty;
    expect(subjectsOf(nodeAttributeMismatch, clusterOf(rows))).to.be.empty;
  });

  it('takes any carrier for the pod of an allocation that names none', () => {
    const block = aBlock('10.0.0.0/28', { 5: { handle: 'x', owner: { node: 'node-b' } } });
    expect(
      subjectsOf(nodeAttributeMismatch, clusterOf([block, aPod('a/b', 'node-a', '10.0.0.5')])),
    ).to.deep.equal(['10.0.0.5']);
  });
});
