import { expect } from 'chai';
import { leakedAddress } from '../../../../src/check/rules/leaked-address.ts';
import { ClusterStateBuilder } from '../../../../src/ipam/state/builder.ts';
import { aBlock, KUBERNETES_KINDS } from '../../../support/builders.ts';

const base = {
  address: '10.0.0.5',
  block: '10.0.0.0/26',
  use: 'Workload',
  handle: 'h',
  namespace: 'shop',
  pod: 'cart-0',
  node: 'node-a',
  sequenceNumber: 1n,
  carriers: [],
};

/** Why nothing holds the address, and what the reason says of it. */
const reasons: Record<string, string> = {
  'pod-absent': 'there is no such pod',
  'pod-finished': 'has finished',
  'pod-on-host-network': 'the network of its node',
  'pod-not-scheduled': 'not placed on any node',
  'pod-elsewhere': 'another node than node-a',
  'pod-on-another-address': 'another address now',
  'machine-absent': 'no such virtual machine',
  'node-absent': 'node node-a does not exist',
  'node-without-address': 'does not use it as a tunnel address',
  'service-absent': 'no such Service',
  'service-on-another-address': 'publishes another address',
  'service-unmanaged': 'another load-balancer controller',
  'no-owner-data': 'does not say for what',
  'a reason of a later version': 'nothing alive of its kind carries it',
};

/** Why it stays, what the reason and what the remedy say of it. */
const keeps: Record<string, readonly [string, string]> = {
  'carried-otherwise': ['cannot be released', 'Leave the address alone'],
  young: ['only just now', 'in a few minutes'],
  'shares-live-handle': ['another address of handle h', 'pod shop/cart-0'],
  'evidence-missing': ['not every kind', 'also holds pods, nodes and Services'],
};

describe('check/rules/leaked-address texts', () => {
  for (const [why, text] of Object.entries(reasons)) {
    it(`explain ${why}`, () => {
      expect(leakedAddress.reason({ ...base, why })).to.contain(text);
      expect(leakedAddress.remedyFor({ ...base, why })).to.contain('ipamctl ipam release');
    });
  }

  for (const [keptBecause, [reason, remedy]] of Object.entries(keeps)) {
    it(`explain why it stays: ${keptBecause}`, () => {
      const facts = { ...base, why: 'pod-absent', keptBecause };
      expect(leakedAddress.reason(facts)).to.contain(reason);
      expect(leakedAddress.remedyFor(facts)).to.contain(remedy);
    });
  }

  it('name what holds a shared handle as far as it is known', () => {
    const facts = { ...base, why: 'service-absent', keptBecause: 'shares-live-handle' };
    expect(leakedAddress.remedyFor({ ...facts, pod: undefined, service: 'gw' })).to.contain(
      'Service shop/gw',
    );
    expect(leakedAddress.remedyFor({ ...facts, pod: undefined, handle: undefined })).to.contain(
      'what holds them',
    );
  });

  it('miss machines that are not installed, but only where an allocation names one', () => {
    const stateOf = (handle: string) => {
      const builder = new ClusterStateBuilder();
      for (const kind of KUBERNETES_KINDS) {
        if (kind.startsWith('VirtualMachine')) builder.markNotInstalled(kind);
        else builder.markLoaded(kind);
      }
      builder.add(aBlock('10.0.0.0/26', { 1: { handle, owner: {} } }));
      return builder.build();
    };
    const missing = (handle: string) => leakedAddress.missingFor?.(stateOf(handle));
    expect(missing('k8s-pod-network.x')).to.deep.equal([]);
    expect(missing('k8s-pod-network.vmi.vms.db')).to.deep.equal([
      'VirtualMachine',
      'VirtualMachineInstance',
    ]);
  });

  it('rest on no row where the block of a finding cannot be read', () => {
    const subject = { kind: 'Address', name: '10.0.0.5' } as const;
    const state = new ClusterStateBuilder().build();
    expect(leakedAddress.restsOn?.({ subject, facts: base }, state)).to.deep.equal([]);
  });
});
