import { expect } from 'chai';
import type { BlockAttribute } from '../../../src/ipam/model/block.ts';
import type { Row } from '../../../src/ipam/model/row.ts';
import { showAddress } from '../../../src/operations/show-address.ts';
import {
  NOW,
  aBlock,
  aNode,
  aPod,
  aPool,
  aReservation,
  aService,
  coolingSlot,
  ip,
  net,
  podSlot,
  serviceSlot,
  tunnelSlot,
  windowsSlot,
} from '../../support/builders.ts';
import { aMachine } from '../../support/settings-builders.ts';
import { ScriptedDatastore, contextOf } from '../../support/scripted-datastore.ts';

const NODES = [aNode('node-a', { vxlan: '10.0.0.2' }), aNode('node-b')];
const POOL = aPool('main', '10.0.0.0/24', { blockSize: 29 });

async function show(address: string, rows: readonly Row[]) {
  const outcome = await showAddress(contextOf(new ScriptedDatastore(rows)), {
    address: ip(address),
  });
  expect(outcome.verdict).to.equal('ok');
  return outcome.document;
}

/** Document of 10.0.0.2 when this slot holds it in node-a's block. */
async function showSlot(
  slot: BlockAttribute,
  rows: readonly Row[] = NODES,
  affinity = 'host:node-a',
) {
  return show('10.0.0.2', [POOL, aBlock('10.0.0.0/29', { 2: slot }, { affinity }), ...rows]);
}

describe('operations/show-address', () => {
  it('tells everything of an address that a running pod holds', async () => {
    const slot = podSlot('shop/cart', 'node-a', { alternateOwner: { pod: 'next' } });
    const { source: _source, ...document } = await showSlot(slot, [
      ...NODES,
      aPod('shop/cart', 'node-a', '10.0.0.2'),
    ]);
    expect(document).to.deep.equal({
      kind: 'IPAMAddress',
      schemaVersion: 1,
      ip: '10.0.0.2',
      allocated: true,
      cooling: false,
      pool: 'main',
      block: '10.0.0.0/29',
      blockAffinity: 'host:node-a',
      handle: 'k8s-pod-network.shop-cart',
      sequenceNumber: 1764426000123456002n,
      attributes: { namespace: 'shop', pod: 'cart', node: 'node-a' },
      alternateAttributes: { pod: 'next' },
      reserved: false,
      owner: { kind: 'Pod', namespace: 'shop', name: 'cart', node: 'node-a', alive: true },
      standing: 'carried',
      standingReason: 'node node-a and pod shop/cart on node node-a carry it',
      conflict: {
        forms: ['two-carriers'],
        reason:
          '10.0.0.2 is carried at the same time by node node-a and pod shop/cart on node node-a.',
      },
      carriers: ['Node(node-a)', 'Pod(shop/cart)'],
      carriedBy: [
        { kind: 'Node', name: 'node-a' },
        {
          kind: 'Pod',
          namespace: 'shop',
          name: 'cart',
          node: 'node-a',
          createdAt: '2026-11-09T12:00:00Z',
        },
      ],
    });
  });

  it('keeps attributes that judging never needs', async () => {
    const { attributes } = await showSlot({ handle: 'h', owner: { note: 'for the printer' } });
    expect(attributes).to.deep.equal({ note: 'for the printer' });
  });

  const OWNERS: readonly [
    fact: string,
    slot: BlockAttribute,
    rows: readonly Row[],
    owner: unknown,
  ][] = [
    [
      'a pod that is gone',
      podSlot('shop/cart', 'node-b'),
      [aNode('node-b')],
      { kind: 'Pod', namespace: 'shop', name: 'cart', node: 'node-b', alive: false },
    ],
    [
      'a pod that starts',
      podSlot('shop/cart', 'node-b'),
      [aNode('node-b'), aPod('shop/cart', 'node-b')],
      { kind: 'Pod', namespace: 'shop', name: 'cart', node: 'node-b', alive: true },
    ],
    [
      'a pod whose address another one shows',
      podSlot('shop/cart', 'node-b'),
      [
        aNode('node-b'),
        aPod('shop/cart', 'node-b', '10.0.0.9'),
        aPod('shop/x', 'node-b', '10.0.0.2'),
      ],
      { kind: 'Pod', namespace: 'shop', name: 'cart', node: 'node-b', alive: false },
    ],
    [
      'a pod that starts while another one shows the address',
      podSlot('shop/cart', 'node-b'),
      [aNode('node-b'), aPod('shop/cart', 'node-b'), aPod('shop/x', 'node-b', '10.0.0.2')],
      { kind: 'Pod', namespace: 'shop', name: 'cart', node: 'node-b', alive: true },
    ],
    [
      'a tunnel',
      tunnelSlot('node-a'),
      NODES,
      { kind: 'Node', name: 'node-a', node: 'node-a', alive: true },
    ],
    [
      'a tunnel of an absent node',
      tunnelSlot('node-z'),
      [aNode('node-b')],
      { kind: 'Node', name: 'node-z', node: 'node-z', alive: false },
    ],
    [
      'a Service',
      serviceSlot('edge/gw'),
      [aService('edge/gw', '10.0.0.2')],
      { kind: 'Service', namespace: 'edge', name: 'gw', alive: true },
    ],
    [
      'a Service that is gone',
      serviceSlot('edge/gw'),
      [],
      { kind: 'Service', namespace: 'edge', name: 'gw', alive: false },
    ],
    [
      'a stopped machine known by its handle',
      { handle: 'k8s-pod-network.vmi.vms.db', owner: {} },
      [aMachine('vms/db')],
      { kind: 'VirtualMachine', namespace: 'vms', name: 'db', node: 'node-a', alive: true },
    ],
    [
      'a machine that is gone',
      { handle: 'h', owner: { namespace: 'vms', 'vmi-name': 'db', node: 'node-a' } },
      [aNode('node-a')],
      { kind: 'VirtualMachine', namespace: 'vms', name: 'db', node: 'node-a', alive: false },
    ],
    [
      'an old tunnel that the node shows',
      { owner: {} },
      NODES,
      { kind: 'Node', name: 'node-a', node: 'node-a', alive: true },
    ],
    ['an old tunnel that nothing shows', { owner: {} }, [aNode('node-a')], undefined],
    ['an unknown type', { handle: 'h', owner: { type: 'somethingNew' } }, [], undefined],
    [
      'an unknown type of a pod',
      { handle: 'h', owner: { type: 'somethingNew', pod: 'x', namespace: 'n' } },
      [],
      { kind: 'Pod', namespace: 'n', name: 'x', node: 'node-a' },
    ],
    ['a Windows slot', windowsSlot(), [], undefined],
  ];
  for (const [fact, slot, rows, owner] of OWNERS) {
    it(`says whose it is: ${fact}`, async () => {
      expect((await showSlot(slot, rows)).owner).to.deep.equal(owner);
    });
  }

  it('names the side of a moving machine that still exists', async () => {
    const slot = podSlot('vms/old', 'node-a', { alternateOwner: { namespace: 'vms', pod: 'new' } });
    const { owner } = await showSlot(slot, [aNode('node-a'), aPod('vms/new', 'node-a')]);
    expect(owner).to.include({ name: 'new', alive: true });
  });

  it('leaves open whether an owner is alive that was not read', async () => {
    const datastore = new ScriptedDatastore([
      aBlock('10.0.0.0/29', { 2: podSlot('shop/cart', 'node-a') }),
    ]);
    const list = datastore.list.bind(datastore);
    datastore.list = async (kind, options) => {
      const listing = await list(kind, options);
      return kind === 'Pod' ? { ...listing, absent: 'not-loaded' } : listing;
    };
    const { document } = await showAddress(contextOf(datastore), { address: ip('10.0.0.2') });
    expect(document.owner).to.deep.equal({
      kind: 'Pod',
      namespace: 'shop',
      name: 'cart',
      node: 'node-a',
    });
  });

  it('answers for a cooling address', async () => {
    const document = await showSlot(coolingSlot(30_000));
    expect(document).to.deep.include({
      allocated: true,
      cooling: true,
      attributes: {},
      releasedAt: '2026-11-29T11:59:30Z',
    });
    expect(document).to.not.have.any.keys('owner', 'handle');
    expect(NOW).to.equal(Date.parse('2026-11-29T12:00:00Z'));
  });

  it('answers for an address that is not allocated', async () => {
    const document = await show('10.0.0.5', [
      POOL,
      aBlock('10.0.0.0/29'),
      aReservation('r', '10.0.0.4/30'),
    ]);
    expect(document).to.deep.include({
      allocated: false,
      pool: 'main',
      block: '10.0.0.0/29',
      attributes: {},
      reserved: true,
    });
    expect(document).to.not.have.any.keys('sequenceNumber', 'handle', 'owner', 'candidates');
  });

  it('answers for an address that nothing covers', async () => {
    const document = await show('192.0.2.1', [
      POOL,
      aPod('shop/cart', 'node-b', '192.0.2.1'),
      ...NODES,
    ]);
    expect(document).to.include({ allocated: false }).and.to.not.have.any.keys('pool', 'block');
    expect(document.carriers).to.deep.equal(['Pod(shop/cart)']);
  });

  it('finds an address in a disabled pool, in a block of another size and outside every pool', async () => {
    const rows = [
      aPool('off', '10.1.0.0/24', { disabled: true }),
      aBlock('10.1.0.0/28', { 1: podSlot('a/b', 'node-a') }),
      aBlock('10.2.0.0/28', { 1: podSlot('a/c', 'node-a') }),
    ];
    expect(await show('10.1.0.1', rows)).to.include({
      allocated: true,
      pool: 'off',
      block: '10.1.0.0/28',
    });
    expect(await show('10.2.0.1', rows)).to.include({ allocated: true, block: '10.2.0.0/28' });
    expect(await show('10.1.0.9', rows)).to.include({ allocated: false, pool: 'off' });
  });

  it('writes an IPv6 address in its canonical form', async () => {
    const rows = [
      aPool('six', '2001:db8:50::/64'),
      aBlock('2001:db8:50::c0/122', { 63: podSlot('a/b', 'node-a') }),
    ];
    expect(await show('2001:DB8:50:0::00ff', rows)).to.include({
      ip: '2001:db8:50::ff',
      allocated: true,
      pool: 'six',
    });
  });

  it('lists every block that holds the address, the assigning one first in rank', async () => {
    const wide = aBlock('10.0.0.0/28', { 2: coolingSlot() }, { cidr: net('10.0.0.0/28') });
    const document = await show('10.0.0.2', [
      POOL,
      wide,
      aBlock('10.0.0.0/29', { 2: podSlot('a/b', 'node-a') }),
    ]);
    expect(document).to.include({ block: '10.0.0.0/29', cooling: false });
    expect(document.candidates?.map(({ block, cooling }) => [block, cooling])).to.deep.equal([
      ['10.0.0.0/28', true],
      ['10.0.0.0/29', false],
    ]);
    expect(document.candidates?.[1]?.attributes).to.include({ pod: 'b' });
  });

  it('looks into the block that holds the address and not into the one that merely contains it', async () => {
    const rows = [
      POOL,
      aBlock('10.0.0.0/28', { 2: podSlot('a/b', 'node-a') }),
      aBlock('10.0.0.0/29'),
    ];
    expect(await show('10.0.0.2', rows)).to.include({ allocated: true, block: '10.0.0.0/28' });
    expect(await show('10.0.0.3', rows)).to.include({ allocated: false });
  });
});
