import { aNode, aPod, aService, serviceSlot, tunnelSlot } from '../../../support/builders.ts';
import { type StandingCase, itJudges } from '../../../support/standings.ts';

const cases: Record<string, StandingCase> = {
  'a tunnel that its node carries': {
    slot: tunnelSlot('node-c'),
    rows: [aNode('node-c', { vxlan: '10.0.0.1' })],
    is: ['carried', 'carried'],
  },
  'a tunnel that a pod alone carries': {
    slot: tunnelSlot('node-a'),
    rows: [aPod('shop/x', 'node-a', '10.0.0.1')],
    is: ['leaked', 'node-without-address'],
    releasable: 'carried-otherwise',
  },
  'a tunnel of a node that is gone': {
    slot: tunnelSlot('gone'),
    is: ['leaked', 'node-absent'],
    releasable: true,
  },
  'a tunnel of a node that shows none': {
    slot: tunnelSlot('node-a'),
    is: ['leaked', 'node-without-address'],
    releasable: true,
  },
  'a tunnel of a node with an unreadable field': {
    slot: tunnelSlot('node-c'),
    rows: [aNode('node-c', {}, { unreadableTunnels: ['vxlan "x"'] })],
    is: ['unknown', 'owner-unreadable'],
  },
  'a tunnel without owner data': {
    slot: { owner: {} },
    affinity: undefined,
    is: ['leaked', 'no-owner-data'],
    releasable: true,
  },
  'nodes that were not read': {
    slot: tunnelSlot('node-a'),
    without: ['Node'],
    is: ['unknown', 'kind-not-loaded'],
  },
  'a Service that publishes it': {
    slot: serviceSlot('edge/gw'),
    rows: [aService('edge/gw', '10.0.0.1')],
    is: ['carried', 'carried'],
  },
  'a Service that waits for it': {
    slot: serviceSlot('edge/gw'),
    rows: [aService('edge/gw')],
    is: ['pending', 'service-pending'],
  },
  'a Service on another address': {
    slot: serviceSlot('edge/gw'),
    rows: [aService('edge/gw', '10.0.0.9')],
    is: ['leaked', 'service-on-another-address'],
    releasable: true,
  },
  'a Service that is gone': {
    slot: serviceSlot('edge/gw'),
    is: ['leaked', 'service-absent'],
    releasable: true,
  },
  'a Service of another controller that shows it': {
    slot: serviceSlot('edge/gw'),
    rows: [aService('edge/gw', '10.0.0.1', { loadBalancerClass: 'other' })],
    is: ['carried', 'carried'],
  },
  'a Service that went over to another controller': {
    slot: serviceSlot('edge/gw'),
    rows: [aService('edge/gw', '10.0.0.9', { loadBalancerClass: 'other' })],
    is: ['leaked', 'service-unmanaged'],
    releasable: true,
  },
  'Services that were not read': {
    slot: serviceSlot('edge/gw'),
    without: ['Service'],
    is: ['unknown', 'kind-not-loaded'],
  },
};

describe('ipam/accounting/standing of tunnels and Services', () => {
  itJudges(cases);
});
