import { expect } from 'chai';
import { nodeOfHandle, renameHandleId } from '../../../../src/ipam/rename/rename-handle-id.ts';
import {
  countHeld,
  damageOf,
  namesInBlock,
  renameBlock,
} from '../../../../src/ipam/rename/rename-block.ts';
import { aBlock, podSlot } from '../../../support/builders.ts';
import { tunnel } from '../../../support/rename-world.ts';

const NAMES = new Map([
  ['alder', 'alder.example'],
  ['birch', 'beech'],
]);

describe('ipam/rename/rename-block', () => {
  for (const [id, renamed] of [
    ['ipip-tunnel-addr-alder', 'ipip-tunnel-addr-alder.example'],
    ['vxlan-tunnel-addr-alder', 'vxlan-tunnel-addr-alder.example'],
    ['vxlan-v6-tunnel-addr-alder', 'vxlan-v6-tunnel-addr-alder.example'],
    ['wireguard-tunnel-addr-birch', 'wireguard-tunnel-addr-beech'],
    ['wireguard-v6-tunnel-addr-alder', 'wireguard-v6-tunnel-addr-alder.example'],
    ['ipip-tunnel-addr-alder\r\neth0', 'ipip-tunnel-addr-alder.example\r\neth0'],
    ['ipip-tunnel-addr-alder-2', undefined],
    ['ipip-tunnel-addr-Alder', undefined],
    ['IPIP-tunnel-addr-alder', undefined],
    ['k8s-pod-network.alder', undefined],
    ['my-ipip-tunnel-addr-alder', undefined],
  ] as const)
    it(`makes ${JSON.stringify(renamed)} of ${JSON.stringify(id)}`, () => {
      expect(renameHandleId(id, NAMES)).to.equal(renamed);
    });

  it('renames the owner that an old release noted in a field of its own', () => {
    const block = {
      ...aBlock('10.0.0.0/29'),
      object: { hostAffinity: 'alder', cidr: '10.0.0.0/29' },
    };
    const old = { ...block, affinity: undefined };
    expect([...namesInBlock(old)]).to.deep.equal(['alder']);
    const { block: renamed, isChanged } = renameBlock(old, NAMES);
    expect([isChanged, renamed.object?.['hostAffinity']]).to.deep.equal([true, 'alder.example']);
    expect(renameBlock({ ...block, affinity: 'host:elm' }, NAMES).isChanged).to.equal(false);
  });

  it('takes the node out of an id', () => {
    expect(nodeOfHandle('vxlan-v6-tunnel-addr-node.a')).to.equal('node.a');
    expect(nodeOfHandle('lb-abc')).to.equal(undefined);
  });

  it('renames owner, both maps, tunnels and cooling records, and leaves addresses and their numbers', () => {
    const block = aBlock(
      '10.0.0.0/29',
      {
        0: tunnel('alder', 'ipip'),
        1: podSlot('shop/a', 'birch', { alternateOwner: { node: 'alder', pod: 'a' } }),
        2: { owner: { node: 'alder' }, releasedAt: 1000 },
        3: podSlot('shop/b', 'elm'),
      },
      { affinity: 'host:alder' },
    );
    const { block: renamed, ...counts } = renameBlock(block, NAMES);
    expect(counts).to.deep.equal({
      isChanged: true,
      owner: 'alder',
      nodeAttributes: 4,
      tunnels: 1,
    });
    expect(renamed.affinity).to.equal('host:alder.example');
    expect(renamed.attributes.map(({ owner }) => owner['node'])).to.deep.equal([
      'alder.example',
      'beech',
      'alder.example',
      'elm',
    ]);
    expect(renamed.attributes[0]?.handle).to.equal('ipip-tunnel-addr-alder.example');
    expect(renamed.attributes[1]?.alternateOwner).to.deep.equal({
      node: 'alder.example',
      pod: 'a',
    });
    expect(renamed.attributes[2]?.releasedAt).to.equal(1000);
    expect(renamed.sequenceNumber).to.equal(block.sequenceNumber + 1n);
    for (const field of ['allocations', 'unallocated', 'sequenceNumbers', 'claimedAt'] as const)
      expect(renamed[field], field).to.equal(block[field]);
    expect([...namesInBlock(renamed)].sort()).to.deep.equal(['alder.example', 'beech', 'elm']);
  });

  it('leaves a virtual owner of that name, other attributes, and a block that names none of the nodes', () => {
    const virtual = aBlock('10.0.0.0/29', {}, { affinity: 'virtual:alder' });
    expect(renameBlock(virtual, NAMES)).to.deep.include({ block: virtual, isChanged: false });
    const other = aBlock('10.0.0.0/29', { 0: { owner: { pod: 'alder', host: 'alder' } } });
    expect(renameBlock(other, NAMES).block).to.equal(other);
  });

  it('keeps what it does not know of a record as stored', () => {
    const block = aBlock('10.0.0.0/30', { 0: tunnel('alder') });
    const stored = {
      handle_id: 'vxlan-tunnel-addr-alder',
      secondary: { node: 'alder', type: 'vxlanTunnelAddress' },
      later: { x: 1 },
    };
    for (const object of [{ spec: { attributes: [stored] } }, { attributes: [stored] }]) {
      const { block: renamed } = renameBlock({ ...block, object }, NAMES);
      const holder = (renamed.object?.['spec'] ?? renamed.object) as { attributes: unknown };
      expect(holder.attributes).to.deep.equal([
        {
          handle_id: 'vxlan-tunnel-addr-alder.example',
          secondary: { node: 'alder.example', type: 'vxlanTunnelAddress' },
          later: { x: 1 },
        },
      ]);
    }
  });

  it('counts addresses of a handle, not cooling ones, and tells damage that a write would lose', () => {
    const slot = tunnel('alder');
    const block = aBlock('10.0.0.0/29', { 0: slot, 1: slot, 2: { ...slot, releasedAt: 1 } });
    expect(countHeld(block, 'vxlan-tunnel-addr-alder')).to.equal(2);
    expect(damageOf(block)).to.equal(undefined);
    expect(damageOf({ ...block, misreadings: ['attributes is a text'] })).to.contain('attributes');
    expect(damageOf({ ...block, unallocated: [Number.NaN] })).to.contain('integer');
  });
});
