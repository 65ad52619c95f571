import { expect } from 'chai';
import { decodeObject } from '../../../../src/datastore/codec/decode.ts';
import type { NodeRow } from '../../../../src/ipam/model/node.ts';
import type { JsonObject, JsonValue } from '../../../../src/ipam/model/resource.ts';
import { formatAddress } from '../../../../src/net/address.ts';
import { NEWER, aNode, anObject } from '../../../support/stored-objects.ts';

const P = 'projectcalico.org/';

function readNode(annotations: JsonObject, metadata?: JsonObject): NodeRow {
  return decodeObject('Node', aNode(annotations, metadata)) as NodeRow;
}

function readCalicoNode(spec: JsonValue): NodeRow {
  return decodeObject('Node', anObject({ apiVersion: NEWER, spec })) as NodeRow;
}

function tunnelsOf(row: NodeRow): string[] {
  return row.tunnels.map(({ type, address }) => `${type} ${formatAddress(address)}`);
}

describe('datastore/codec/node', () => {
  it('40 reads the tunnel addresses of both families', () => {
    const row = readNode({
      [`${P}IPv4IPIPTunnelAddr`]: '10.244.3.1',
      [`${P}IPv4VXLANTunnelAddr`]: '10.244.3.2',
      [`${P}IPv6VXLANTunnelAddr`]: 'fd00::5',
      [`${P}IPv4WireguardInterfaceAddr`]: '10.244.3.3',
      [`${P}IPv6WireguardInterfaceAddr`]: 'fd00::6',
    });
    expect(tunnelsOf(row)).to.deep.equal([
      'vxlan 10.244.3.2',
      'vxlanV6 fd00::5',
      'ipip 10.244.3.1',
      'wireguard 10.244.3.3',
      'wireguardV6 fd00::6',
    ]);
    expect(row).to.include({ origin: 'kubernetes', kubernetesName: 'node-1' });
  });

  const TEXTS = [
    ['41 with host bits', '10.244.3.1/26', 'ipip 10.244.3.1'],
    ['42 of a network', '10.244.3.0/26', 'ipip 10.244.3.0'],
    ['with blanks', ' 10.244.3.1 ', 'ipip 10.244.3.1'],
    ['of the other family', 'fd00::9', 'ipip fd00::9'],
  ] as const;
  for (const [title, text, expected] of TEXTS) {
    it(`counts a tunnel address ${title}`, () => {
      const row = readNode({ [`${P}IPv4IPIPTunnelAddr`]: text });
      expect(tunnelsOf(row)).to.deep.equal([expected]);
      expect(row.unreadableTunnels).to.deep.equal([]);
    });
  }

  for (const text of ['', '  ', null]) {
    it(`carries nothing where the annotation is ${JSON.stringify(text)}`, () => {
      const row = readNode({ [`${P}IPv4IPIPTunnelAddr`]: text });
      expect(row).to.deep.include({ tunnels: [], unreadableTunnels: [] });
    });
  }

  it('48 has no tunnels without annotations, and the address of the node is none', () => {
    expect(readNode({ [`${P}IPv4Address`]: '10.0.0.5/24' }).tunnels).to.deep.equal([]);
  });

  it('stays a node with a tunnel address that is none', () => {
    const row = readNode({ [`${P}IPv4VXLANTunnelAddr`]: '10.244.3.300' });
    expect(row).to.deep.include({
      tunnels: [],
      unreadableTunnels: [`annotation ${P}IPv4VXLANTunnelAddr "10.244.3.300"`],
    });
  });

  it('stays a node when its annotations cannot be read', () => {
    const row = decodeObject('Node', aNode({}, { annotations: 'x' })) as NodeRow;
    expect(row.unreadableTunnels).to.deep.equal(['metadata.annotations "x" is no object']);
  });

  it('49 lays the labels of Kubernetes over those of the annotation', () => {
    const row = readNode({ [`${P}labels`]: '{"a":"1","c":"3","d":4}' }, { labels: { a: '2' } });
    expect(row.labels).to.deep.equal({ a: '2', c: '3' });
  });

  it('keeps the labels of Kubernetes beside an annotation that is no map', () => {
    for (const text of ['{', '[]', '"x"']) {
      const row = readNode({ [`${P}labels`]: text }, { labels: { a: '2' } });
      expect(row.labels).to.deep.equal({ a: '2' });
    }
  });
});

describe('datastore/codec/node, Calico rows', () => {
  it('reads tunnels, Kubernetes name and labels', () => {
    const row = readCalicoNode({
      bgp: { ipv4Address: '192.0.2.11/24', ipv4IPIPTunnelAddr: '10.60.0.1' },
      ipv4VXLANTunnelAddr: '10.60.0.2',
      ipv6VXLANTunnelAddr: 'fd00::2',
      wireguard: { interfaceIPv4Address: '10.60.0.3', interfaceIPv6Address: 'fd00::3' },
      orchRefs: [
        { nodeName: 'other', orchestrator: 'openstack' },
        { nodeName: 'first', orchestrator: 'k8s' },
        { nodeName: 'last', orchestrator: 'k8s' },
      ],
    });
    expect(tunnelsOf(row)).to.deep.equal([
      'vxlan 10.60.0.2',
      'vxlanV6 fd00::2',
      'ipip 10.60.0.1',
      'wireguard 10.60.0.3',
      'wireguardV6 fd00::3',
    ]);
    expect(row).to.include({ origin: 'calico', kubernetesName: 'last' });
  });

  it('has no Kubernetes name without a reference', () => {
    for (const orchRefs of [[], null, 'x', [null, { orchestrator: 'k8s' }]]) {
      expect(readCalicoNode({ orchRefs }).kubernetesName).to.equal(undefined);
    }
  });

  const DAMAGE: readonly (readonly [JsonValue, readonly string[]])[] = [
    ['x', ['spec "x"']],
    [{ bgp: [] }, ['spec.bgp […]']],
    [{ wireguard: 5 }, ['spec.wireguard 5']],
    [{ ipv4VXLANTunnelAddr: 'x' }, ['spec.ipv4VXLANTunnelAddr "x"']],
    [{ ipv4VXLANTunnelAddr: {} }, ['spec.ipv4VXLANTunnelAddr {…}']],
    [{ bgp: null, ipv4VXLANTunnelAddr: '' }, []],
    [null, []],
  ];
  for (const [spec, expected] of DAMAGE) {
    it(`stays a node with spec ${JSON.stringify(spec)}`, () => {
      expect(readCalicoNode(spec)).to.deep.include({ tunnels: [], unreadableTunnels: expected });
    });
  }
});
