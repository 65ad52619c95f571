import { expect } from 'chai';
import { type ScanContext, scanCluster } from '../../../../src/ipam/collector/collector-scan.ts';
import type { Row } from '../../../../src/ipam/model/row.ts';
import { formatAddress } from '../../../../src/net/address.ts';
import { formatCidr } from '../../../../src/net/cidr.ts';
import {
  aBlock,
  anAffinity,
  aNode,
  aPod,
  clusterOf,
  coolingSlot,
  NOW,
  podSlot,
  tunnelSlot,
  windowsSlot,
} from '../../../support/builders.ts';

const MINUTE = 60_000;

const CONTEXT: ScanContext = {
  now: NOW,
  leakGraceMs: 15 * MINUTE,
  minAgeMs: 5 * MINUTE,
  cooldownSeconds: 0,
};

/** What a look shows, in short. */
function scan(rows: readonly Row[], more: Partial<ScanContext> = {}) {
  const { suspects, emptyBlocks, coldBlocks, absentNodes } = scanCluster(clusterOf(rows), {
    ...CONTEXT,
    ...more,
  });
  return {
    suspects: suspects.map(
      ({ allocation, graceMs }) =>
        `${formatAddress(allocation.address)} ${graceMs === undefined ? 'at once' : `after ${graceMs / MINUTE}m`}`,
    ),
    empty: emptyBlocks.map(({ block }) => formatCidr(block.cidr)),
    cold: coldBlocks.map(({ cidr }) => formatCidr(cidr)),
    absent: absentNodes,
  };
}

const NODE = aNode('node-a');
const GONE = aBlock('10.0.0.0/28', { 1: podSlot('shop/gone', 'node-a') });
const machineSlot = podSlot('vms/virt-launcher-db', 'node-a', {
  owner: { namespace: 'vms', pod: 'virt-launcher-db', node: 'node-a', 'vmi-name': 'db' },
});

describe('ipam/collector/collector-scan', () => {
  const leaks: readonly (readonly [string, readonly Row[], readonly string[]])[] = [
    ['G-1: a pod that is gone, after the grace period', [NODE, GONE], ['10.0.0.1 after 15m']],
    ['G-3: a pod and a node that are gone, at once', [GONE], ['10.0.0.1 at once']],
    [
      'G-4: nothing on a gone node whose pod is still listed',
      [GONE, aPod('shop/gone', 'node-a', '10.0.0.1')],
      [],
    ],
    ['G-5: nothing of a pod without addresses', [NODE, GONE, aPod('shop/gone', 'node-a')], []],
    [
      'G-6: a finished pod that still shows it',
      [NODE, GONE, aPod('shop/gone', 'node-a', '10.0.0.1', { finished: true })],
      ['10.0.0.1 after 15m'],
    ],
    [
      'G-7: a pod on another node',
      [NODE, aNode('node-b'), GONE, aPod('shop/gone', 'node-b', '10.0.0.9')],
      ['10.0.0.1 after 15m'],
    ],
    [
      'G-7: a pod with another address',
      [NODE, GONE, aPod('shop/gone', 'node-a', '10.0.0.9')],
      ['10.0.0.1 after 15m'],
    ],
    [
      'G-9: nothing that names only a node',
      [aBlock('10.0.0.0/28', { 1: { handle: 'x', owner: { node: 'node-a' } } })],
      [],
    ],
    [
      'G-12: the tunnel address of a gone node, at once',
      [aBlock('10.0.0.0/28', { 1: tunnelSlot('node-a') })],
      ['10.0.0.1 at once'],
    ],
    [
      'no tunnel address of a live node',
      [NODE, aBlock('10.0.0.0/28', { 1: tunnelSlot('node-a') })],
      [],
    ],
    [
      'no tunnel address of a gone node with a live pod',
      [
        aBlock('10.0.0.0/28', { 1: tunnelSlot('node-a'), 2: podSlot('shop/cart-0', 'node-a') }),
        aPod('shop/cart-0', 'node-a', '10.0.0.2'),
      ],
      [],
    ],
    [
      'G-20: nothing of a Calico node that Kubernetes does not know',
      [aNode('node-a', {}, { origin: 'calico', kubernetesName: undefined }), GONE],
      [],
    ],
    [
      'no address without node',
      [NODE, aBlock('10.0.0.0/28', { 1: { handle: 'x', owner: {} } })],
      [],
    ],
    ['no reserved slot of a Windows node', [NODE, aBlock('10.0.0.0/28', { 1: windowsSlot() })], []],
  ];
  for (const [title, rows, expected] of leaks) {
    it(`suspects ${title}`, () => expect(scan(rows).suspects).to.deep.equal(expected));
  }

  it('G-10: gives a machine five minutes at least', () => {
    const rows = [NODE, aBlock('10.0.0.0/28', { 1: machineSlot })];
    expect(scan(rows, { leakGraceMs: 2 * MINUTE }).suspects).to.deep.equal(['10.0.0.1 after 5m']);
    expect(scan(rows).suspects).to.deep.equal(['10.0.0.1 after 15m']);
    expect(scan(rows, { leakGraceMs: 0 }).suspects).to.deep.equal(['10.0.0.1 after 0m']);
  });

  it('suspects nothing where nodes were not read', () => {
    const state = clusterOf([GONE], { without: ['Node'] });
    const { suspects, absentNodes } = scanCluster(state, CONTEXT);
    expect([suspects, absentNodes]).to.deep.equal([[], []]);
  });

  it('calls a node absent only if all that is left on it is leaked', () => {
    expect(scan([GONE]).absent).to.deep.equal(['node-a']);
    expect(scan([anAffinity('node-x', '10.0.5.0/28')]).absent).to.deep.equal(['node-x']);
    expect(scan([GONE, aPod('shop/gone', 'node-a', '10.0.0.1')]).absent).to.deep.equal([]);
    const unknown = aBlock('10.0.0.0/28', { 1: { handle: 'x', owner: { node: 'node-a' } } });
    expect(scan([unknown]).absent).to.deep.equal([]);
  });

  it('sees empty blocks of live nodes that have others', () => {
    const full = aBlock('10.0.0.0/28', { 1: podSlot('shop/cart-0', 'node-a') });
    const empty = aBlock('10.0.1.0/28');
    expect(scan([NODE, full, empty]).empty).to.deep.equal(['10.0.1.0/28']);
    expect(scan([NODE, empty]).empty).to.deep.equal([]);
    expect(scan([full, empty]).empty).to.deep.equal([]);
    const cooling = aBlock('10.0.1.0/28', { 1: coolingSlot() });
    expect(scan([NODE, full, cooling]).empty).to.deep.equal([]);
  });

  it('leaves the blocks of a node that moves from another network', () => {
    const label = 'projectcalico.org/node-network-during-migration';
    const blocks = [aBlock('10.0.0.0/28'), aBlock('10.0.1.0/28')];
    const moving = aNode('node-a', {}, { labels: { [label]: 'flannel' } });
    const moved = aNode('node-a', {}, { labels: { [label]: 'calico' } });
    expect(scan([moving, ...blocks]).empty).to.deep.equal([]);
    expect(scan([moved, ...blocks]).empty).to.have.length(2);
  });

  it('G-17: sees only blocks whose cooldown is over', () => {
    const rows = [
      NODE,
      aBlock('10.0.0.0/28', { 1: coolingSlot(120 * MINUTE) }),
      aBlock('10.0.1.0/28', { 1: coolingSlot(1000) }),
      aBlock('10.0.2.0/28', { 1: podSlot('shop/cart-0', 'node-a') }),
    ];
    expect(scan(rows, { cooldownSeconds: 3600 }).cold).to.deep.equal(['10.0.0.0/28']);
    expect(scan(rows).cold).to.deep.equal(['10.0.0.0/28', '10.0.1.0/28']);
  });
});
