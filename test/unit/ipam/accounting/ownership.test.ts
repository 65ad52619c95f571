import { expect } from 'chai';
import { hasLiveOwner, isSameNode, matchOwner } from '../../../../src/ipam/accounting/ownership.ts';
import type { BlockAttribute, BlockRow } from '../../../../src/ipam/model/block.ts';
import type { Row } from '../../../../src/ipam/model/row.ts';
import {
  aBlock,
  aNode,
  aPod,
  aService,
  clusterOf,
  ip,
  podSlot,
  serviceSlot,
  tunnelSlot,
  windowsSlot,
} from '../../../support/builders.ts';
import { aMachine } from '../../../support/settings-builders.ts';

/** How the only carrier of 10.0.0.5 relates to its allocation. */
function match(
  slot: BlockAttribute,
  carrier: Row,
  more: { rows?: readonly Row[]; block?: Partial<BlockRow> } = {},
) {
  const state = clusterOf([
    aBlock('10.0.0.0/28', { 5: slot }, more.block),
    carrier,
    ...(more.rows ?? []),
  ]);
  const [allocation] = state.allocationsAt(ip('10.0.0.5'));
  const [first] = state.carriersOf(ip('10.0.0.5'));
  if (!allocation || !first) throw new Error('no allocation or no carrier');
  return matchOwner(state, allocation, first);
}

function isAlive(slot: BlockAttribute, ...rows: readonly Row[]): boolean {
  const state = clusterOf([aBlock('10.0.0.0/28', { 5: slot }), ...rows]);
  const [allocation] = state.allocationsAt(ip('10.0.0.5'));
  return allocation !== undefined && hasLiveOwner(state, allocation);
}

const POD = aPod('a/p', 'node-a', '10.0.0.5');
const NODE = aNode('node-a', { vxlan: '10.0.0.5' });
const SERVICE = aService('a/s', '10.0.0.5');

describe('ipam/accounting/ownership', () => {
  describe('matchOwner', () => {
    it('knows the pod that an allocation names, on either side of a move', () => {
      expect(match(podSlot('a/p', 'node-a'), POD)).to.equal('named');
      expect(match(podSlot('b/p', 'node-a'), POD)).to.equal('other');
      expect(
        match(podSlot('a/q', 'n', { alternateOwner: { namespace: 'a', pod: 'p' } }), POD),
      ).to.equal('named');
    });

    it('takes any workload where the allocation names no pod', () => {
      expect(match({ handle: 'x', owner: { node: 'node-a' } }, POD)).to.equal('unnamed');
      expect(match({ handle: 'x', owner: { node: 'node-a' } }, NODE)).to.equal('other');
    });

    it('knows the pods of a machine by namespace and by the name of its launcher', () => {
      const machine = { handle: 'x', owner: { namespace: 'a', 'vmi-name': 'web' } };
      expect(match(machine, POD)).to.equal('unnamed');
      expect(match(machine, aPod('b/p', 'node-a', '10.0.0.5'))).to.equal('other');
      const named = { handle: 'x', owner: { namespace: 'a', pod: 'old', 'vmi-name': 'web' } };
      expect(match(named, POD)).to.equal('other');
      expect(match(named, aPod('a/virt-launcher-web-abcde', 'node-a', '10.0.0.5'))).to.equal(
        'named',
      );
    });

    it('knows a machine by its handle', () => {
      const slot = { handle: 'k8s-pod-network.vmi.a.web', owner: {} };
      expect(
        match(slot, aPod('b/p', 'node-a', '10.0.0.5'), { rows: [aMachine('a/web')] }),
      ).to.equal('other');
      expect(match(slot, POD, { rows: [aMachine('a/web')] })).to.equal('unnamed');
    });

    it('knows the node of a tunnel address', () => {
      expect(match(tunnelSlot('node-a'), NODE)).to.equal('named');
      expect(match(tunnelSlot('node-b'), NODE)).to.equal('other');
      expect(match(tunnelSlot('node-a'), POD)).to.equal('other');
      expect(match({ owner: {} }, NODE, { block: { affinity: 'host:node-b' } })).to.equal(
        'unnamed',
      );
      expect(match({ owner: {} }, NODE)).to.equal('named');
    });

    it('knows the Service of an address', () => {
      expect(match(serviceSlot('a/s'), SERVICE)).to.equal('named');
      expect(match(serviceSlot('a/t'), SERVICE)).to.equal('other');
      expect(match(serviceSlot('a/s'), POD)).to.equal('other');
      expect(match({ handle: 'x', owner: { type: 'LoadBalancer' } }, SERVICE)).to.equal('unnamed');
    });

    it('cannot tell for reserved slots and unknown types', () => {
      expect(match(windowsSlot(), POD)).to.equal('unnamed');
      expect(match({ handle: 'x', owner: { type: 'new' } }, POD)).to.equal('unnamed');
    });
  });

  describe('hasLiveOwner', () => {
    it('is true while the pod exists and may run where the allocation says', () => {
      const slot = podSlot('a/p', 'node-a');
      expect(isAlive(slot, aPod('a/p', 'node-a'))).to.equal(true);
      expect(isAlive(slot, aPod('a/p', 'node-a', [], { node: undefined }))).to.equal(true);
      expect(isAlive(slot)).to.equal(false);
      expect(isAlive(slot, aPod('a/p', 'node-b'))).to.equal(false);
      expect(isAlive(slot, { ...POD, finished: true })).to.equal(false);
      expect(isAlive(slot, { ...POD, hostNetwork: true })).to.equal(false);
    });

    it('is true while the other side of a move or the machine exists', () => {
      const slot = podSlot('a/p', 'node-a', {
        alternateOwner: { namespace: 'a', pod: 'q', node: 'node-b' },
      });
      expect(isAlive(slot, aPod('a/q', 'node-b'))).to.equal(true);
      const machine = { handle: 'x', owner: { namespace: 'a', 'vmi-name': 'web' } };
      expect(isAlive(machine, aMachine('a/web', 'VirtualMachineInstance'))).to.equal(true);
      expect(isAlive(machine)).to.equal(false);
    });

    it('is true while the node or the Service exists', () => {
      expect(isAlive(tunnelSlot('node-a'), aNode('node-a'))).to.equal(true);
      expect(isAlive(tunnelSlot('node-a'))).to.equal(false);
      expect(isAlive(serviceSlot('a/s'), aService('a/s'))).to.equal(true);
      expect(isAlive(serviceSlot('a/s'))).to.equal(false);
      expect(isAlive(windowsSlot())).to.equal(false);
    });
  });

  it('takes a Calico node and the Kubernetes node behind it for the same', () => {
    const state = clusterOf([aNode('n1', {}, { origin: 'calico', kubernetesName: 'n1.example' })]);
    expect(isSameNode(state, 'n1', 'n1.example')).to.equal(true);
    expect(isSameNode(state, 'n1.example', 'n1')).to.equal(true);
    expect(isSameNode(state, 'n1', 'n2')).to.equal(false);
  });
});
