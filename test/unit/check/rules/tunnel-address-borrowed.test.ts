import { expect } from 'chai';
import { tunnelAddressBorrowed } from '../../../../src/check/rules/tunnel-address-borrowed.ts';
import { aBlock, aNode, clusterOf, podSlot, tunnelSlot } from '../../../support/builders.ts';
import { judge, subjectsOf } from '../../../support/judge.ts';

const NODES = [aNode('node-a'), aNode('node-b', { vxlan: '10.0.0.2' })];
const inBlockOf = (affinity: string | undefined, slot = tunnelSlot('node-b')) =>
  aBlock('10.0.0.0/28', { 2: slot }, { affinity });

describe('check/rules/tunnel-address-borrowed', () => {
  it('fires for a tunnel address out of the block of another node', () => {
    const [finding] = judge(tunnelAddressBorrowed, clusterOf([...NODES, inBlockOf('host:node-a')]));
    expect(finding?.subject).to.include({
      address: '10.0.0.2',
      cidr: '10.0.0.0/28',
      node: 'node-b',
    });
    expect(finding?.reason).to.equal(
      'Node node-b uses 10.0.0.2 as its vxlan tunnel address, but block 10.0.0.0/28 belongs to node node-a, so replies may go there.',
    );
  });

  it('is quiet in its own block, in one without owner, and in one of a host that is no node', () => {
    for (const affinity of ['host:node-b', 'virtual:load-balancer', 'host:node-gone', undefined]) {
      expect(
        subjectsOf(tunnelAddressBorrowed, clusterOf([...NODES, inBlockOf(affinity)])),
        affinity,
      ).to.be.empty;
    }
  });

  it('is quiet for an address that the block does not hold as a tunnel address', () => {
    expect(subjectsOf(tunnelAddressBorrowed, clusterOf([...NODES, aBlock('10.0.0.0/28')]))).to.be
      .empty;
    expect(
      subjectsOf(
        tunnelAddressBorrowed,
        clusterOf([...NODES, inBlockOf('host:node-a', podSlot('a/b', 'node-a'))]),
      ),
    ).to.be.empty;
  });

  it('is quiet for a tunnel address that its node does not use', () => {
    expect(
      subjectsOf(
        tunnelAddressBorrowed,
        clusterOf([aNode('node-a'), aNode('node-b'), inBlockOf('host:node-a')]),
      ),
    ).to.be.empty;
  });
});
