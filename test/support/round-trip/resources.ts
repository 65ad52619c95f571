/** Objects of Calico as etcd keeps them. */
import type { JsonObject } from '../../../src/ipam/model/resource.ts';
import type { DraftNode } from './cluster.ts';
import type { DraftEntry } from './draft.ts';

const RESOURCES = '/calico/resources/v3/projectcalico.org/';

/** An object under its name; that of a namespaced one begins with the namespace. */
export function resourceEntry(
  ...[plural, kind, path, spec]: [string, string, string, JsonObject]
): DraftEntry {
  const [name = '', namespace] = path.split('/').reverse();
  return {
    key: `${RESOURCES}${plural}/${path}`,
    value: {
      kind,
      apiVersion: 'projectcalico.org/v3',
      metadata: {
        name,
        ...(namespace === undefined ? {} : { namespace }),
        creationTimestamp: '2026-08-31T12:00:00Z',
        labels: { 'example.org/made-by': 'round-trip' },
      },
      spec,
    },
  };
}

/** Calico's node with its tunnels and its name in Kubernetes. */
export function nodeEntry({ index, name, kubernetesName, tunnels }: DraftNode): DraftEntry {
  return resourceEntry('nodes', 'Node', name, {
    bgp: {
      ipv4Address: `192.0.2.${index % 250}/24`,
      ipv4IPIPTunnelAddr: tunnels['ipipTunnelAddress'] ?? '',
    },
    ipv4VXLANTunnelAddr: tunnels['vxlanTunnelAddress'] ?? '',
    ipv6VXLANTunnelAddr: tunnels['vxlanV6TunnelAddress'] ?? '',
    wireguard: {
      interfaceIPv4Address: tunnels['wireguardTunnelAddress'] ?? '',
      interfaceIPv6Address: tunnels['wireguardV6TunnelAddress'] ?? '',
    },
    orchRefs: [{ nodeName: kubernetesName, orchestrator: 'k8s' }],
  });
}

/** Pools, configuration, and objects that name a node. */
export function configurationEntries(node: string): DraftEntry[] {
  return [
    ...poolEntries(),
    { key: '/calico/ipam/v2/config', value: { auto_allocate_blocks: true, ipCooldownSeconds: 60 } },
    resourceEntry('clusterinformations', 'ClusterInformation', 'default', {
      clusterGUID: '5d0c3c1e8f0b4b6fa9e2d7c6b5a49382',
      clusterType: 'k8s,bgp',
      calicoVersion: 'v3.33.0',
      datastoreReady: true,
    }),
    resourceEntry('kubecontrollersconfigurations', 'KubeControllersConfiguration', 'default', {
      controllers: {
        node: { leakGracePeriod: '15m0s' },
        loadBalancer: { assignIPs: 'AllServices' },
      },
    }),
    resourceEntry('felixconfigurations', 'FelixConfiguration', 'default', {
      logSeverityScreen: 'Info',
    }),
    resourceEntry('felixconfigurations', 'FelixConfiguration', `node.${node}`, {
      logSeverityScreen: 'Debug',
    }),
    resourceEntry('bgpconfigurations', 'BGPConfiguration', `node.${node}`, {
      prefixAdvertisements: [],
    }),
    resourceEntry('bgppeers', 'BGPPeer', 'rack-1', {
      node,
      peerIP: '192.0.2.254',
      asNumber: 64512,
    }),
    resourceEntry('hostendpoints', 'HostEndpoint', 'uplink', { node, interfaceName: 'eth0' }),
    resourceEntry('tiers', 'Tier', 'ours', { order: 5, defaultAction: 'Deny' }),
    resourceEntry('globalnetworkpolicies', 'GlobalNetworkPolicy', 'ours.deny-all', {
      tier: 'ours',
      selector: 'all()',
    }),
    resourceEntry('networksets', 'NetworkSet', 'shop-0/partners', { nets: ['203.0.113.0/24'] }),
  ];
}

function poolEntries(): DraftEntry[] {
  const pool = (...[name, cidr, blockSize, allowedUses]: [string, string, number, string[]]) =>
    resourceEntry('ippools', 'IPPool', name, {
      cidr,
      blockSize,
      allowedUses,
      ipipMode: 'Never',
      vxlanMode: 'Never',
      natOutgoing: true,
      nodeSelector: 'all()',
      assignmentMode: 'Automatic',
    });
  return [
    pool('main', '10.60.0.0/16', 26, ['Workload', 'Tunnel']),
    pool('main-v6', 'fd00:60::/112', 122, ['Workload', 'Tunnel']),
    pool('services', '198.19.0.0/24', 28, ['LoadBalancer']),
    pool('services-v6', 'fd00:99::/116', 122, ['LoadBalancer']),
  ];
}
