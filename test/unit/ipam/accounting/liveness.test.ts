import { expect } from 'chai';
import { judgeAllocation } from '../../../../src/ipam/accounting/liveness.ts';
import type { BlockAttribute } from '../../../../src/ipam/model/block.ts';
import {
  CONTEXT,
  aBlock,
  aNode,
  aPod,
  clusterOf,
  coolingSlot,
  podSlot,
  windowsSlot,
} from '../../../support/builders.ts';
import { aMachine } from '../../../support/settings-builders.ts';
import { NODES, type StandingCase, itJudges, unreadable } from '../../../support/standings.ts';

const machineSlot: BlockAttribute = {
  handle: 'k8s-pod-network.vmi.vms.db',
  owner: { namespace: 'vms', 'vmi-name': 'db', pod: 'virt-launcher-db-1', node: 'node-a' },
};
const young = { timestamp: '2026-11-29 11:59:00.123456789 +0000 UTC' };
const cart = podSlot('shop/cart', 'node-a');

const cases: Record<string, StandingCase> = {
  'a cooling address': { slot: coolingSlot(), is: ['kept', 'cooling'] },
  'a Windows-reserved one': { slot: windowsSlot(), is: ['kept', 'windows-reserved'] },
  'an unknown type': {
    slot: { handle: 'h', owner: { type: 'somethingNew' } },
    is: ['unknown', 'unknown-type'],
  },
  'a pod that carries it': {
    slot: cart,
    rows: [aPod('shop/cart', 'node-a', '10.0.0.1')],
    is: ['carried', 'carried'],
  },
  'another pod that carries it': {
    slot: cart,
    rows: [aPod('shop/other', 'node-a', '10.0.0.1')],
    is: ['carried', 'carried'],
  },
  'a pod that is gone': { slot: cart, is: ['leaked', 'pod-absent'], releasable: true },
  'a pod on a node that is gone': {
    slot: podSlot('shop/cart', 'gone'),
    is: ['leaked', 'node-absent'],
    releasable: true,
  },
  'a finished pod': {
    slot: cart,
    rows: [aPod('shop/cart', 'node-a', '10.0.0.1', { finished: true })],
    is: ['leaked', 'pod-finished'],
    releasable: true,
  },
  'a terminating pod': {
    slot: cart,
    rows: [aPod('shop/cart', 'node-a', '10.0.0.1', { terminating: true })],
    is: ['carried', 'carried'],
  },
  'a pod that starts on the same node': {
    slot: cart,
    rows: [aPod('shop/cart', 'node-a')],
    is: ['pending', 'pod-starting'],
  },
  'a pod of that name that starts elsewhere': {
    slot: cart,
    rows: [aPod('shop/cart', 'node-b')],
    is: ['leaked', 'pod-elsewhere'],
    releasable: true,
  },
  'a pod that waits to be placed': {
    slot: cart,
    rows: [aPod('shop/cart', 'node-a', [], { node: undefined })],
    is: ['leaked', 'pod-not-scheduled'],
    releasable: true,
  },
  'a pod bound to a node that is gone': {
    slot: podSlot('shop/cart', 'gone'),
    rows: [aPod('shop/cart', 'gone')],
    is: ['leaked', 'node-absent'],
    releasable: true,
  },
  'a pod on another address': {
    slot: cart,
    rows: [aPod('shop/cart', 'node-a', '10.0.0.9')],
    is: ['leaked', 'pod-on-another-address'],
    releasable: true,
  },
  'a pod in the network of its node': {
    slot: cart,
    rows: [aPod('shop/cart', 'node-a', '192.0.2.9', { hostNetwork: true })],
    is: ['leaked', 'pod-on-host-network'],
    releasable: true,
  },
  'a pod whose address cannot be read': {
    slot: cart,
    rows: [unreadable('Pod', 'cart')],
    is: ['unknown', 'owner-unreadable'],
  },
  'no owner while some pod of the node cannot be read': {
    slot: { handle: 'manual', owner: { note: 'x', node: 'node-a' } },
    rows: [unreadable('Pod', 'odd', { node: 'node-a' })],
    is: ['unknown', 'owner-unreadable'],
  },
  'no owner while some pod of another node cannot be read': {
    slot: { handle: 'manual', owner: { note: 'x', node: 'node-a' } },
    rows: [unreadable('Pod', 'odd', { node: 'node-b' })],
    is: ['leaked', 'no-owner-data'],
    releasable: true,
  },
  'no owner data': {
    slot: { handle: 'manual', owner: { note: 'x' } },
    is: ['leaked', 'no-owner-data'],
    releasable: true,
  },
  'pods that were not read': { slot: cart, without: ['Pod'], is: ['unknown', 'kind-not-loaded'] },
  'a young leak': {
    slot: { ...cart, owner: { ...cart.owner, ...young } },
    is: ['leaked', 'pod-absent'],
    releasable: 'young',
  },
  'a leak while Services were not read': {
    slot: cart,
    without: ['Service'],
    is: ['leaked', 'pod-absent'],
    releasable: 'evidence-missing',
  },
  'a pod address that only a node shows': {
    slot: cart,
    rows: [aNode('node-c', { vxlan: '10.0.0.1' })],
    is: ['leaked', 'pod-absent'],
    releasable: 'carried-otherwise',
  },
  'a stopped machine': {
    slot: machineSlot,
    rows: [aMachine('vms/db')],
    is: ['kept', 'machine-exists'],
  },
  'an instance without a machine': {
    slot: machineSlot,
    rows: [aMachine('vms/db', 'VirtualMachineInstance')],
    is: ['kept', 'machine-exists'],
  },
  'a machine known by its handle alone': {
    slot: { handle: 'net.vmi.x.vmi.vms.db', owner: {} },
    rows: [aMachine('vms/db')],
    is: ['kept', 'machine-exists'],
  },
  'a machine that is gone': {
    slot: machineSlot,
    is: ['leaked', 'machine-absent'],
    releasable: true,
  },
  'machines that were not read': {
    slot: machineSlot,
    without: ['VirtualMachine'],
    is: ['unknown', 'kind-not-loaded'],
  },
  'the target of a migration': {
    slot: { ...cart, alternateOwner: { namespace: 'shop', pod: 'target', node: 'node-b' } },
    rows: [aPod('shop/target', 'node-a')],
    is: ['kept', 'alternate-owner'],
  },
};

describe('ipam/accounting/liveness', () => {
  itJudges(cases);

  it('keeps a leak whose handle has a live address', () => {
    const shared = { ...cart, handle: 'one' };
    const state = clusterOf([
      aBlock('10.0.0.0/26', { 1: shared, 2: shared }),
      ...NODES,
      aPod('shop/cart', 'node-a', '10.0.0.2'),
    ]);
    const [first] = state.allocations();
    const judgement = judgeAllocation(state, first as NonNullable<typeof first>, CONTEXT);
    expect(judgement).to.include({
      standing: 'leaked',
      releasable: false,
      keptBecause: 'shares-live-handle',
    });
  });

  it('lets all addresses of a handle go when all of them are leaked', () => {
    const shared = { ...cart, handle: 'one' };
    const state = clusterOf([aBlock('10.0.0.0/26', { 1: shared, 2: shared }), ...NODES]);
    for (const allocation of state.allocations()) {
      expect(judgeAllocation(state, allocation, CONTEXT).releasable).to.equal(true);
    }
  });

  it('waits for a second family that the pod does not show yet', () => {
    const state = clusterOf([
      aBlock('10.0.0.0/26', { 1: cart }),
      aBlock('2001:db8::/122', { 1: cart }),
      ...NODES,
      aPod('shop/cart', 'node-a', '10.0.0.1'),
    ]);
    const second = [...state.allocations()][1];
    expect(judgeAllocation(state, second as NonNullable<typeof second>, CONTEXT)).to.include({
      standing: 'pending',
      why: 'family-not-shown',
    });
  });
});
