import type { BlockAttribute } from '../../../../src/ipam/model/block.ts';
import { aNode, podSlot, serviceSlot, tunnelSlot } from '../../../support/builders.ts';
import { type StandingCase, itJudges, unreadable } from '../../../support/standings.ts';

const cart = podSlot('shop/cart', 'node-a');
const anybody: BlockAttribute = { handle: 'manual', owner: { note: 'x', node: 'node-a' } };
const machine: BlockAttribute = {
  handle: 'k8s-pod-network.vmi.vms.db',
  owner: { namespace: 'vms', 'vmi-name': 'db', pod: 'virt-launcher-db-1', node: 'node-a' },
};

/** What is recorded for one, and what may carry it beside it. */
const others: Record<string, StandingCase> = {
  'a pod beside an unreadable one of another node': {
    slot: cart,
    rows: [unreadable('Pod', 'odd', { node: 'node-b' })],
    is: ['leaked', 'pod-absent'],
    releasable: true,
  },
  'a pod beside an unreadable one of its node': {
    slot: cart,
    rows: [unreadable('Pod', 'odd', { node: 'node-a' })],
    is: ['leaked', 'pod-absent'],
    releasable: 'carrier-unreadable',
  },
  'a pod beside an unreadable one of no known node': {
    slot: cart,
    rows: [unreadable('Pod', 'odd')],
    is: ['leaked', 'pod-absent'],
    releasable: 'carrier-unreadable',
  },
  'a pod of a node that itself cannot be read': {
    slot: podSlot('shop/cart', 'gone'),
    rows: [unreadable('Node', 'gone')],
    is: ['leaked', 'pod-absent'],
    releasable: 'carrier-unreadable',
  },
  'a pod of a node with an unreadable tunnel address': {
    slot: podSlot('shop/cart', 'node-c'),
    rows: [aNode('node-c', {}, { unreadableTunnels: ['vxlan "x"'] })],
    is: ['leaked', 'pod-absent'],
    releasable: 'carrier-unreadable',
  },
  'a Service beside another that cannot be read': {
    slot: serviceSlot('edge/gw'),
    rows: [unreadable('Service', 'odd')],
    is: ['leaked', 'service-absent'],
    releasable: 'carrier-unreadable',
  },
  'nobody beside an unreadable endpoint of the node': {
    slot: anybody,
    rows: [unreadable('WorkloadEndpoint', 'odd', { node: 'node-a' })],
    is: ['unknown', 'owner-unreadable'],
  },
};

/** Rows that may be the very owner, because part of their identity cannot be read. */
const namesakes: Record<string, StandingCase> = {
  'a pod beside one without readable name': {
    slot: cart,
    rows: [unreadable('Pod', '', { node: 'node-b' })],
    is: ['unknown', 'owner-unreadable'],
  },
  'a pod beside one of its name without readable namespace': {
    slot: cart,
    rows: [unreadable('Pod', 'cart', { key: { name: 'cart' } })],
    is: ['unknown', 'owner-unreadable'],
  },
  'a pod beside a nameless one of another namespace and node': {
    slot: cart,
    rows: [unreadable('Pod', '', { key: { namespace: 'other', name: '' }, node: 'node-b' })],
    is: ['leaked', 'pod-absent'],
    releasable: true,
  },
  'a tunnel of an absent node beside a node without readable name': {
    slot: tunnelSlot('gone'),
    rows: [unreadable('Node', '')],
    is: ['unknown', 'owner-unreadable'],
  },
  'a Service beside one without readable name': {
    slot: serviceSlot('edge/gw'),
    rows: [unreadable('Service', '', { key: { name: '' } })],
    is: ['unknown', 'owner-unreadable'],
  },
  'a machine beside one without readable name': {
    slot: machine,
    rows: [unreadable('VirtualMachine', '', { key: { namespace: 'vms', name: '' } })],
    is: ['unknown', 'owner-unreadable'],
  },
  'a machine known by its handle beside an unreadable instance': {
    slot: { handle: 'net.vmi.x.vmi.vms.db', owner: {} },
    rows: [unreadable('VirtualMachineInstance', '')],
    is: ['unknown', 'owner-unreadable'],
  },
};

describe('ipam/accounting beside rows that cannot be read', () => {
  itJudges({ ...others, ...namesakes });
});
