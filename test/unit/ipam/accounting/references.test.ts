import { expect } from 'chai';
import {
  type Reference,
  ReferenceIndex,
  referencesOfEndpoint,
  referencesOfNode,
  referencesOfService,
  referrerText,
} from '../../../../src/ipam/accounting/references.ts';
import { OUTSIDE_POOLS, type UsageTracker } from '../../../../src/ipam/accounting/tracker.ts';
import { formatAddress } from '../../../../src/net/address.ts';
import { cool, pod, strange, trackerOf, tun, windows } from '../../../support/accounting.ts';
import { aBlock, aNode, aPool, aService, ip } from '../../../support/builders.ts';

const p = aPool('p', '10.0.0.0/24');

function reference(address: string, name: string, use: Reference['use'] = 'Workload'): Reference {
  return {
    address: ip(address),
    use,
    referrer: { kind: 'Workload', key: { namespace: 'n', name } },
  };
}

function leaks(
  tracker: UsageTracker,
  pool: Parameters<UsageTracker['unreferenced']>[0] = 'p',
): readonly string[] {
  return tracker.unreferenced(pool).map(({ address }) => formatAddress(address));
}

const shown = (references: readonly Reference[]) =>
  references.map(
    ({ address, use, referrer }) => `${formatAddress(address)} ${use} ${referrerText(referrer)}`,
  );

describe('ipam/accounting/references', () => {
  it('V59 accounts for an allocation by a reference of the same use only', () => {
    const block = aBlock('10.0.0.0/26', {
      0: pod('node-a'),
      1: tun('node-a'),
      2: pod('node-a'),
      3: windows,
      4: cool,
    });
    const tracker = trackerOf([p, block]);
    expect(leaks(tracker)).to.deep.equal(['10.0.0.0', '10.0.0.1', '10.0.0.2']);
    tracker.addReferences([reference('10.0.0.0', 'a'), reference('10.0.0.1', 'a', 'Tunnel')]);
    expect(leaks(tracker)).to.deep.equal(['10.0.0.2']);
    tracker.addReferences([reference('10.0.0.2', 'a', 'Tunnel')]);
    expect(leaks(tracker)).to.deep.equal(['10.0.0.2']);
    tracker.addReferences([reference('10.0.0.2', 'a'), reference('10.0.0.2', 'b')]);
    tracker.removeReferences([reference('10.0.0.2', 'a')]);
    expect(leaks(tracker)).to.deep.equal([]);
    tracker.removeReferences([reference('10.0.0.2', 'b')]);
    expect(leaks(tracker)).to.deep.equal(['10.0.0.2']);
    expect(tracker.summarize('p')).to.include({ inUse: 5 });
  });

  it('V60 leaves a machine unreferenced until it is referenced as a workload', () => {
    const slot = { handle: 'k8s-pod-network.vmi.default.vm1', owner: {} };
    const tracker = trackerOf([p, aBlock('10.0.0.0/26', { 0: slot })]);
    expect(leaks(tracker)).to.deep.equal(['10.0.0.0']);
    const machine: Reference['referrer'] = {
      kind: 'VirtualMachine',
      key: { namespace: 'default', name: 'vm1' },
    };
    tracker.addReferences([{ address: ip('10.0.0.0'), use: 'Workload', referrer: machine }]);
    expect(leaks(tracker)).to.deep.equal([]);
  });

  it('V61 never calls an unknown type unreferenced', () => {
    const tracker = trackerOf([
      p,
      aBlock('10.0.0.0/26', { 2: strange, 5: { handle: 'h', owner: { note: 'x' } } }),
    ]);
    expect(leaks(tracker)).to.deep.equal(['10.0.0.5']);
  });

  it('V62 lists what is unreferenced where its block is', () => {
    const tracker = trackerOf([p, aBlock('10.0.0.0/26', { 0: pod('node-a') })]);
    tracker.removePool('p');
    expect(leaks(tracker)).to.deep.equal([]);
    expect(leaks(tracker, OUTSIDE_POOLS)).to.deep.equal(['10.0.0.0']);
  });

  it('V63 lists references by address as a number, then by referrer', () => {
    const index = new ReferenceIndex();
    index.add([
      reference('10.0.0.10', 'b'),
      reference('10.0.0.9', 'a'),
      reference('10.0.0.10', 'a'),
      reference('fd00::1', 'a'),
    ]);
    expect(shown(index.all())).to.deep.equal([
      '10.0.0.9 Workload Workload(n/a)',
      '10.0.0.10 Workload Workload(n/a)',
      '10.0.0.10 Workload Workload(n/b)',
      'fd00::1 Workload Workload(n/a)',
    ]);
  });

  it('V64 refers to the tunnels of a node in order', () => {
    const node = aNode('node-a', { vxlan: '10.0.0.1', ipip: '10.0.0.2', wireguardV6: 'fd00::3' });
    expect(shown(referencesOfNode(node))).to.deep.equal([
      '10.0.0.1 Tunnel Node(node-a)',
      '10.0.0.2 Tunnel Node(node-a)',
      'fd00::3 Tunnel Node(node-a)',
    ]);
  });

  it('V65 refers to addresses of endpoints and Services', () => {
    const endpoint = {
      kind: 'WorkloadEndpoint',
      key: { namespace: 'default', name: 'pod' },
      node: 'node-a',
      orchestrator: 'k8s',
      addresses: [ip('10.0.0.5'), ip('fd00::5')],
    } as const;
    expect(shown(referencesOfEndpoint(endpoint))).to.deep.equal([
      '10.0.0.5 Workload Workload(default/pod)',
      'fd00::5 Workload Workload(default/pod)',
    ]);
    expect(shown(referencesOfService(aService('default/svc', '10.0.1.1')))).to.deep.equal([
      '10.0.1.1 LoadBalancer Service(default/svc)',
    ]);
  });

  it('V66 takes a mapped address as the IPv4 address', () => {
    const tracker = trackerOf([p, aBlock('10.0.0.0/26', { 5: pod('node-a') })]);
    tracker.addReferences([reference('::ffff:10.0.0.5', 'a')]);
    expect(leaks(tracker)).to.deep.equal([]);
    expect(tracker.references(ip('10.0.0.5'))).to.have.length(1);
  });

  it('adds the same reference once', () => {
    const index = new ReferenceIndex();
    index.add([
      reference('10.0.0.1', 'a'),
      reference('10.0.0.1', 'a'),
      reference('10.0.0.1', 'a', 'Tunnel'),
    ]);
    expect(shown(index.of(ip('10.0.0.1')))).to.deep.equal([
      '10.0.0.1 Tunnel Workload(n/a)',
      '10.0.0.1 Workload Workload(n/a)',
    ]);
    index.remove([
      reference('10.0.0.1', 'a'),
      reference('10.0.0.1', 'a', 'Tunnel'),
      reference('10.0.0.1', 'a'),
    ]);
    expect(index.all()).to.deep.equal([]);
  });
});
