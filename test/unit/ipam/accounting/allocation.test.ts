import { expect } from 'chai';
import { allocationsOfRow } from '../../../../src/ipam/accounting/allocation.ts';
import type { BlockAttribute } from '../../../../src/ipam/model/block.ts';
import { aBlock } from '../../../support/builders.ts';

interface Vector {
  readonly v: string;
  readonly fact: string;
  readonly affinity: string | undefined;
  readonly slot: BlockAttribute;
  readonly expected: Readonly<Record<string, unknown>>;
}

const HOST = 'host:node-a';
const LB = 'virtual:load-balancer';
const handle = 'k8s-pod-network.x';

const VECTORS: readonly Vector[] = [
  {
    v: 'V1',
    fact: "a handle alone is a workload of the block's node",
    affinity: HOST,
    slot: { handle, owner: {} },
    expected: { kind: 'Workload', node: 'node-a', borrowed: false },
  },
  {
    v: 'V2',
    fact: 'nothing at all is an old tunnel address',
    affinity: HOST,
    slot: { owner: {} },
    expected: { kind: 'Tunnel' },
  },
  {
    v: 'V3',
    fact: 'ipipTunnelAddress is a tunnel',
    affinity: HOST,
    slot: { handle, owner: { type: 'ipipTunnelAddress' } },
    expected: { kind: 'Tunnel' },
  },
  {
    v: 'V3',
    fact: 'wireguardV6TunnelAddress is a tunnel',
    affinity: HOST,
    slot: { handle, owner: { type: 'wireguardV6TunnelAddress' } },
    expected: { kind: 'Tunnel' },
  },
  {
    v: 'V4',
    fact: 'type LoadBalancer decides in a host block',
    affinity: HOST,
    slot: { handle, owner: { type: 'LoadBalancer' } },
    expected: { kind: 'LoadBalancer' },
  },
  {
    v: 'V5',
    fact: 'a load-balancer block decides without a type',
    affinity: LB,
    slot: { handle, owner: {} },
    expected: { kind: 'LoadBalancer' },
  },
  {
    v: 'V6',
    fact: 'the Windows handle decides',
    affinity: HOST,
    slot: { handle: 'windows-reserved-ipam-handle', owner: {} },
    expected: { kind: 'WindowsReserved' },
  },
  {
    v: 'V7',
    fact: 'another type is unknown',
    affinity: HOST,
    slot: { handle, owner: { type: 'somethingNew' } },
    expected: { kind: 'Unknown' },
  },
  {
    v: 'V8',
    fact: 'the Windows handle wins in any case of letters',
    affinity: LB,
    slot: { handle: 'Windows-Reserved-IPAM-Handle', owner: { type: 'vxlanTunnelAddress' } },
    expected: { kind: 'WindowsReserved' },
  },
  {
    v: 'V9',
    fact: 'a load-balancer block wins over the type',
    affinity: LB,
    slot: { handle, owner: { type: 'vxlanTunnelAddress' } },
    expected: { kind: 'LoadBalancer' },
  },
  {
    v: 'V10',
    fact: 'types compare with their case',
    affinity: HOST,
    slot: { handle, owner: { type: 'loadbalancer' } },
    expected: { kind: 'Unknown' },
  },
  {
    v: 'V11',
    fact: 'an empty handle is a handle',
    affinity: HOST,
    slot: { handle: '', owner: {} },
    expected: { kind: 'Workload' },
  },
  {
    v: 'V12',
    fact: 'any attribute makes a workload',
    affinity: HOST,
    slot: { owner: { note: 'x' } },
    expected: { kind: 'Workload' },
  },
  {
    v: 'V13',
    fact: 'another node borrows',
    affinity: HOST,
    slot: { handle, owner: { node: 'node-b' } },
    expected: { node: 'node-b', borrowed: true },
  },
  {
    v: 'V14',
    fact: 'a node borrows from an unowned block',
    affinity: undefined,
    slot: { handle, owner: { node: 'node-c' } },
    expected: { node: 'node-c', borrowed: true },
  },
  {
    v: 'V15',
    fact: 'nobody borrows without a node',
    affinity: undefined,
    slot: { handle, owner: {} },
    expected: { node: undefined, borrowed: false },
  },
  {
    v: 'V16',
    fact: 'a node borrows from a virtual owner',
    affinity: LB,
    slot: { handle, owner: { node: 'node-a' } },
    expected: { node: 'node-a', borrowed: true },
  },
  {
    v: 'V17',
    fact: 'a host affinity names a node',
    affinity: HOST,
    slot: { handle, owner: {} },
    expected: { node: 'node-a' },
  },
  {
    v: 'V17',
    fact: 'a virtual affinity names none',
    affinity: LB,
    slot: { handle, owner: {} },
    expected: { node: undefined },
  },
];

describe('ipam/accounting/allocation', () => {
  for (const { v, fact, affinity, slot, expected } of VECTORS) {
    it(`${v} ${fact}`, () => {
      const [allocation] = allocationsOfRow(aBlock('10.0.0.0/26', { 0: slot }, { affinity }));
      expect(allocation).to.include(expected);
    });
  }

  it('leaves malformed slots out', () => {
    const slot: BlockAttribute = { handle, owner: {} };
    const block = aBlock('10.0.0.0/30', { 0: slot }, { allocations: [0, 7, -1, NaN, 0] });
    expect(allocationsOfRow(block).map(({ ordinal }) => ordinal)).to.deep.equal([0]);
  });

  it('counts two ordinals of one attribute each', () => {
    const block = aBlock(
      '10.0.0.0/30',
      { 0: { handle, owner: {} } },
      { allocations: [0, 0, null, null] },
    );
    expect(allocationsOfRow(block)).to.have.length(2);
  });

  it('never calls a cooling address borrowed', () => {
    const slot = { handle, owner: { node: 'node-b' }, releasedAt: 1 };
    expect(allocationsOfRow(aBlock('10.0.0.0/30', { 0: slot }))[0]).to.include({
      cooling: true,
      borrowed: false,
    });
  });
});
