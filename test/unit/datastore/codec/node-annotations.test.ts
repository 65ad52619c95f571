import { expect } from 'chai';
import {
  nodeOfKubernetes,
  withNodeFields,
} from '../../../../src/datastore/codec/node-annotations.ts';
import type { JsonObject } from '../../../../src/ipam/model/resource.ts';

const annotated = (annotations: JsonObject, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'alder', annotations },
  ...more,
});

const specOf = (annotations: Record<string, string>): JsonObject => {
  const named = Object.entries(annotations).map(([name, text]) => [
    `projectcalico.org/${name}`,
    text,
  ]);
  const { spec } = nodeOfKubernetes(annotated(Object.fromEntries(named) as JsonObject));
  const { orchRefs: _references, ...rest } = spec as JsonObject;
  return rest;
};

const annotationsOf = ({ metadata }: JsonObject): JsonObject =>
  (metadata as JsonObject)['annotations'] as JsonObject;

describe('datastore/codec/node-annotations: reading', () => {
  it('puts every annotation into its field', () => {
    const node = nodeOfKubernetes(
      annotated({
        'projectcalico.org/IPv4Address': '192.0.2.11/24',
        'projectcalico.org/IPv6Address': '2001:db8::11/64',
        'projectcalico.org/ASNumber': '64512.1',
        'projectcalico.org/RouteReflectorClusterID': '224.0.0.1',
        'projectcalico.org/IPv4IPIPTunnelAddr': '198.18.0.1',
        'projectcalico.org/IPv4VXLANTunnelAddr': '198.18.0.2',
        'projectcalico.org/IPv6VXLANTunnelAddr': '2001:db8:1::2',
        'projectcalico.org/VXLANTunnelMACAddr': '66:ab:cd:ef:01:02',
        'projectcalico.org/VXLANTunnelMACAddrV6': '66-ab-cd-ef-01-03',
        'projectcalico.org/IPv4WireguardInterfaceAddr': '198.18.0.3',
        'projectcalico.org/IPv6WireguardInterfaceAddr': '2001:db8:1::3',
        'projectcalico.org/WireguardPublicKey': 'key',
        'projectcalico.org/WireguardPublicKeyV6': 'key6',
        'projectcalico.org/Interfaces': '[{"name":"eth0","addresses":["192.0.2.11"]}]',
      }),
    );
    expect(node).to.deep.include({
      spec: {
        bgp: {
          ipv4Address: '192.0.2.11/24',
          ipv6Address: '2001:db8::11/64',
          asNumber: 4227858433,
          routeReflectorClusterID: '224.0.0.1',
          ipv4IPIPTunnelAddr: '198.18.0.1',
        },
        ipv4VXLANTunnelAddr: '198.18.0.2',
        ipv6VXLANTunnelAddr: '2001:db8:1::2',
        vxlanTunnelMACAddr: '66:ab:cd:ef:01:02',
        vxlanTunnelMACAddrV6: '66-ab-cd-ef-01-03',
        wireguard: {
          interfaceIPv4Address: '198.18.0.3',
          interfaceIPv6Address: '2001:db8:1::3',
        },
        interfaces: [{ name: 'eth0', addresses: ['192.0.2.11'] }],
        addresses: [
          { address: '192.0.2.11/24', type: 'CalicoNodeIP' },
          { address: '2001:db8::11/64', type: 'CalicoNodeIP' },
        ],
        orchRefs: [{ nodeName: 'alder', orchestrator: 'k8s' }],
      },
      status: { wireguardPublicKey: 'key', wireguardPublicKeyV6: 'key6' },
    });
  });

  it('leaves out what Calico does not accept', () => {
    for (const [name, text] of [
      ['IPv4Address', 'fd00::1'],
      ['IPv4Address', '192.0.2.1/33'],
      ['IPv6Address', '192.0.2.1'],
      ['ASNumber', '4294967296'],
      ['ASNumber', '65536.1'],
      ['ASNumber', '1.2.3'],
      ['ASNumber', '-1'],
      ['IPv4IPIPTunnelAddr', '10.244.3.1/26'],
      ['IPv4VXLANTunnelAddr', ''],
      ['IPv6VXLANTunnelAddr', '10.244.3.1'],
      ['VXLANTunnelMACAddr', '66:ab'],
      ['Interfaces', '{"name":"eth0"}'],
      ['Interfaces', 'no JSON'],
    ] as const) {
      expect(specOf({ [name]: text }), `${name} ${text}`).to.deep.equal({});
    }
  });

  it('keeps the first address of a prefix as it is written', () => {
    expect(specOf({ IPv4IPIPTunnelAddr: '10.244.3.0/26' })).to.deep.equal({
      bgp: { ipv4IPIPTunnelAddr: '10.244.3.0/26' },
    });
  });

  it('lays the labels of Kubernetes over those that Calico keeps', () => {
    const metadata = {
      name: 'alder',
      uid: 'u',
      resourceVersion: '7',
      labels: { b: '2', a: '2' },
      annotations: {
        note: 'x',
        'projectcalico.org/labels': '{"a":"1","c":"3"}',
        'projectcalico.org/annotations': '{"kept":"y"}',
      },
    };
    expect(nodeOfKubernetes({ ...annotated({}), metadata })['metadata']).to.deep.equal({
      name: 'alder',
      uid: 'u',
      resourceVersion: '7',
      labels: { a: '2', b: '2', c: '3' },
      annotations: { kept: 'y', 'projectcalico.org/kube-labels': '{"a":"2","b":"2"}' },
    });
  });

  it('shows addresses and pod prefixes of the machine', () => {
    const node = nodeOfKubernetes(
      annotated(
        {},
        {
          spec: { podCIDRs: ['198.18.0.0/26'] },
          status: {
            addresses: [
              { type: 'Hostname', address: 'alder' },
              { type: 'InternalIP', address: '192.0.2.11' },
            ],
          },
        },
      ),
    );
    expect(node['spec']).to.deep.include({
      addresses: [{ address: '192.0.2.11', type: 'InternalIP' }],
    });
    expect(node['status']).to.deep.equal({ podCIDRs: ['198.18.0.0/26'] });
  });
});

describe('datastore/codec/node-annotations: writing', () => {
  const node = annotated({
    note: 'x',
    'projectcalico.org/IPv4Address': '192.0.2.11/24',
    'projectcalico.org/labels': '{"old":"1"}',
  });

  it('sets what the node has and keeps the rest', () => {
    const shown = {
      metadata: { labels: { rack: 'r1' }, annotations: { note: 'y' } },
      spec: { bgp: { asNumber: 64512 }, ipv4VXLANTunnelAddr: '198.18.0.2' },
      status: { wireguardPublicKey: 'key' },
    };
    expect(annotationsOf(withNodeFields(node, shown))).to.deep.equal({
      note: 'x',
      'projectcalico.org/IPv4Address': '192.0.2.11/24',
      'projectcalico.org/ASNumber': '64512',
      'projectcalico.org/IPv4VXLANTunnelAddr': '198.18.0.2',
      'projectcalico.org/WireguardPublicKey': 'key',
      'projectcalico.org/labels': '{"old":"1","rack":"r1"}',
      'projectcalico.org/annotations': '{"note":"y"}',
    });
  });

  it('leaves labels to Kubernetes that it knows itself', () => {
    const labelled = { ...node, metadata: { name: 'alder', labels: { zone: 'a' } } };
    const shown = { metadata: { labels: { zone: 'b' } } };
    expect(withNodeFields(labelled, shown)).to.equal(labelled);
  });

  it('is the very node when it has it all, or there is nothing to set', () => {
    for (const shown of [
      nodeOfKubernetes(node),
      { spec: { bgp: {}, ipv4VXLANTunnelAddr: '' } },
      { spec: { interfaces: [] } },
      {},
    ]) {
      expect(withNodeFields(node, shown)).to.equal(node);
    }
  });
});
