import { expect } from 'chai';
import { InternalError } from '../../../../src/errors/internal-error.ts';
import { OBJECT_KEYS } from '../../../../src/ipam/model/row-keys.ts';
import { ClusterStateBuilder } from '../../../../src/ipam/state/builder.ts';
import { formatAddress } from '../../../../src/net/address.ts';
import { formatCidr } from '../../../../src/net/cidr.ts';
import type { Allocation } from '../../../../src/ipam/state/cluster-state.ts';
import {
  aBlock,
  aHandle,
  aPod,
  aPool,
  anAffinity,
  clusterOf,
  coolingSlot,
  ip,
  net,
  podSlot,
  windowsSlot,
} from '../../../support/builders.ts';
import { aConfig, aMachine } from '../../../support/settings-builders.ts';

const a = podSlot('shop/a', 'node-a');
const b = podSlot('shop/b', 'node-b');

const texts = (allocations: Iterable<Allocation>) =>
  [...allocations].map(
    ({ address, block }) => `${formatAddress(address)} ${formatCidr(block.cidr)}`,
  );
describe('ipam/state/builder', () => {
  it('orders blocks and allocations by number, IPv4 first', () => {
    const state = clusterOf([
      aBlock('2001:db8::/122', { 5: a }),
      aBlock('10.0.0.128/26', { 1: a }),
      aBlock('10.0.0.64/26', { 3: a, 2: b }),
    ]);
    expect(texts(state.allocations())).to.deep.equal([
      '10.0.0.66 10.0.0.64/26',
      '10.0.0.67 10.0.0.64/26',
      '10.0.0.129 10.0.0.128/26',
      '2001:db8::5 2001:db8::/122',
    ]);
  });

  it('orders allocations of overlapping blocks by address, the wider block first', () => {
    const state = clusterOf([
      aBlock('10.0.0.0/26', { 0: a, 40: a, 33: b }),
      aBlock('10.0.0.32/28', { 1: b, 15: b }),
    ]);
    expect(texts(state.allocations())).to.deep.equal([
      '10.0.0.0 10.0.0.0/26',
      '10.0.0.33 10.0.0.0/26',
      '10.0.0.33 10.0.0.32/28',
      '10.0.0.40 10.0.0.0/26',
      '10.0.0.47 10.0.0.32/28',
    ]);
    expect(texts(state.allocationsAt(ip('10.0.0.33')))).to.have.length(2);
  });

  it('finds the blocks that contain an address or meet a prefix, whatever their size', () => {
    const state = clusterOf([
      aBlock('10.0.0.0/26'),
      aBlock('10.0.0.32/28'),
      aBlock('10.0.0.64/26'),
      aBlock('2001:db8::/122'),
    ]);
    const cidrs = (blocks: readonly { cidr: Parameters<typeof formatCidr>[0] }[]) =>
      blocks.map(({ cidr }) => formatCidr(cidr));
    expect(cidrs(state.blocksContaining(ip('10.0.0.40')))).to.deep.equal([
      '10.0.0.0/26',
      '10.0.0.32/28',
    ]);
    expect(cidrs(state.blocksContaining(ip('10.0.1.1')))).to.deep.equal([]);
    expect(cidrs(state.blocksOverlapping(net('10.0.0.0/24')))).to.deep.equal([
      '10.0.0.0/26',
      '10.0.0.32/28',
      '10.0.0.64/26',
    ]);
    expect(cidrs(state.blocksOverlapping(net('10.0.0.34/31')))).to.deep.equal([
      '10.0.0.0/26',
      '10.0.0.32/28',
    ]);
    expect(cidrs(state.blocksOverlapping(net('2001:db8::1/128')))).to.deep.equal([
      '2001:db8::/122',
    ]);
    expect(cidrs(state.blocksOf(net('10.0.0.32/28')))).to.deep.equal(['10.0.0.32/28']);
  });

  it('keeps what an allocation says, and every bit of its sequence number', () => {
    const slot = {
      ...a,
      handle: 'id\r\neth0',
      owner: { ...a.owner, timestamp: '2026-01-02 03:04:05.6 +0000 UTC' },
    };
    const state = clusterOf([
      aBlock(
        '10.0.0.0/26',
        { 7: slot },
        { sequenceNumbers: new Map([[7, 18446744073709551615n]]) },
      ),
    ]);
    const [allocation] = state.allocations();
    expect(allocation).to.include({
      ordinal: 7,
      handle: 'id\r\neth0',
      handleId: 'id',
      sequenceNumber: 18446744073709551615n,
      pod: 'a',
      namespace: 'shop',
      node: 'node-a',
      allocatedAt: Date.UTC(2026, 0, 2, 3, 4, 5, 600),
      borrowed: false,
      cooling: false,
    });
    expect(state.allocationsOf('id')).to.have.length(1);
    expect(state.allocationsOf('other')).to.have.length(0);
  });

  it('tells an empty handle from none, and neither has an id', () => {
    const state = clusterOf([
      aBlock('10.0.0.0/26', { 0: { handle: '', owner: {} }, 1: { owner: {} } }),
    ]);
    expect(
      [...state.allocations()].map(({ handle, handleId, kind }) => [handle, handleId, kind]),
    ).to.deep.equal([
      ['', undefined, 'Workload'],
      [undefined, undefined, 'Tunnel'],
    ]);
  });

  it('counts well-formed slots only, cooling ones among them', () => {
    const block = aBlock('10.0.0.0/29', { 0: a, 1: coolingSlot() });
    const state = clusterOf([
      { ...block, allocations: [...block.allocations.slice(0, 5), 9, NaN] },
    ]);
    expect(state.blocks[0]).to.include({ inUse: 2, cooling: 1 });
    expect(state.blocks[0]?.defects).to.have.length.above(0);
  });

  it('leaves Windows-reserved ids out of those that are referred to', () => {
    const state = clusterOf([aBlock('10.0.0.0/26', { 0: windowsSlot(), 1: a })]);
    expect([...state.referredHandleIds()]).to.deep.equal(['k8s-pod-network.shop-a']);
  });

  it('sets soft-deleted rows apart', () => {
    const state = clusterOf([
      aBlock('10.0.0.0/26', { 0: a }, { deleted: true }),
      aHandle('h', {}, { deleted: true }),
      anAffinity('node-a', '10.0.0.0/26', { deleted: true }),
    ]);
    expect(state.softDeleted.map(({ kind }) => kind)).to.deep.equal([
      'BlockAffinity',
      'IPAMBlock',
      'IPAMHandle',
    ]);
    expect([
      state.blocks.length,
      [...state.handles()].length,
      state.affinities.length,
    ]).to.deep.equal([0, 0, 0]);
  });

  it('calls a handle unreadable that is stored where nobody looks for it', () => {
    const state = clusterOf([
      aHandle('Some.Id', {}, { key: { name: 'other' } }),
      aHandle('Other.Id', {}),
    ]);
    expect(state.unreadable.map(({ key }) => key.name)).to.deep.equal(['other']);
    expect([...state.handles()].map(({ id }) => id)).to.deep.equal(['Other.Id']);
  });

  it('finds handles by their cut id and keeps their counts', () => {
    const state = clusterOf([aHandle('b', { '10.0.0.0/26': 2, 'no cidr': 1 }), aHandle('a', {})]);
    expect([...state.handles()].map(({ id }) => id)).to.deep.equal(['a', 'b']);
    expect(
      state
        .handlesOf('b')[0]
        ?.counts.map(({ text, cidr, count }) => [text, cidr !== undefined, count]),
    ).to.deep.equal([
      ['10.0.0.0/26', true, 2],
      ['no cidr', false, 1],
    ]);
  });

  it('reads the objects named default and no others', () => {
    const state = clusterOf([aConfig({ key: { name: 'other' }, strictAffinity: true })]);
    expect(state.config).to.equal(undefined);
    expect(clusterOf([aConfig({ strictAffinity: true })]).config?.strictAffinity).to.equal(true);
  });

  it('forgets a kind that is taken again', () => {
    const builder = new ClusterStateBuilder();
    for (const row of [
      aPool('p', '10.0.0.0/16'),
      aPod('shop/a', 'node-a', '10.0.0.1'),
      aBlock('10.0.0.0/26', { 0: a }),
    ])
      builder.add(row);
    for (const kind of ['Pod', 'IPAMBlock'] as const) builder.drop(kind);
    builder.add(aPod('shop/b', 'node-a', '10.0.0.2'));
    const state = builder.build();
    expect([...state.pods()].map(({ name }) => name)).to.deep.equal(['b']);
    expect(state.isLoaded('IPAMBlock')).to.equal(false);
    expect([...state.allocations()]).to.have.length(0);
    expect(state.pools).to.have.length(1);
  });

  it('counts with the nodes alone, and refuses to tell of texts that were not kept', () => {
    const builder = new ClusterStateBuilder(OBJECT_KEYS, 'nodes');
    const slots = { 0: a, 1: podSlot('shop/c', 'node-b'), 2: coolingSlot() };
    builder.add(aBlock('10.0.0.0/26', slots, { affinity: 'host:node-a' }));
    const state = builder.build();
    const [first, second, third] = [...state.allocations()];
    expect([first?.node, first?.borrowed, second?.node, second?.borrowed]).to.deep.equal([
      'node-a',
      false,
      'node-b',
      true,
    ]);
    expect([first?.cooling, third?.cooling]).to.deep.equal([false, true]);
    for (const tell of [
      () => first?.pod,
      () => first?.handleId,
      () => first?.isHandleCut,
      () => state.isReferred('h'),
    ])
      expect(tell).to.throw(InternalError, 'were not kept');
    builder.drop('IPAMBlock');
    builder.add(aBlock('10.0.0.0/26', { 0: a }));
    expect(() => [...builder.build().allocations()][0]?.namespace).to.throw(InternalError);
  });

  it('knows machines by name and by the handle that Calico makes for them', () => {
    const long = 'v'.repeat(120);
    const state = clusterOf([
      aMachine('default/vm1'),
      aMachine('default/vmi1', 'VirtualMachineInstance'),
      aMachine(`ns/${long}`),
    ]);
    expect(state.hasMachine('default', 'vmi1')).to.equal(true);
    expect(state.machineOfHandle('foo.vmi.bar.vmi.default.vm1')).to.deep.equal({
      namespace: 'default',
      name: 'vm1',
    });
    expect(
      state.machineOfHandle('k8s-pod-network.vmi._ZWQ_kpQq70LYGaJzC1XFy9B1haWX42HMcbaK1lM060k')
        ?.name,
    ).to.equal(long);
    expect(state.machineOfHandle('k8s-pod-network.vmi.default.gone')).to.equal(undefined);
  });
});
