/**
 * Makes examples/troubled-cluster.yaml.gz: forty nodes, both IP families, two thousand pods, and one of each common
 * trouble. Run it with `node examples/make-troubled-cluster.ts`; the output is the same every time.
 */
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { stringify } from 'yaml';
import { type Cidr, formatCidr } from '../src/net/cidr.ts';
import {
  BlockDraft,
  type KubernetesObject,
  affinity,
  blockOf,
  calico,
  handle,
  list,
  metadata,
  net,
  node,
  pod,
  podHandle,
  pool,
  service,
} from './src/cluster-objects.ts';

const NODES = Array.from({ length: 40 }, (_, i) => `worker-${String(i + 1).padStart(2, '0')}`);
const PODS_PER_NODE = 50;
const APPS = [
  'shop/cart',
  'shop/checkout',
  'shop/catalog',
  'search/indexer',
  'search/query',
  'media/encoder',
  'ops/agent',
];

const blocks: BlockDraft[] = [];
const affinities: KubernetesObject[] = [];
const pods: KubernetesObject[] = [];
const services: KubernetesObject[] = [];
const machines: KubernetesObject[] = [];
/** Counts per handle and block, as the handle rows shall say. */
const handles = new Map<string, Record<string, number>>();

function claim(
  cidr: Cidr,
  host: string | undefined,
  row: Parameters<typeof affinity>[2] | false = {},
): BlockDraft {
  const block = new BlockDraft(
    cidr,
    host && `${host === 'load-balancer' ? 'virtual' : 'host'}:${host}`,
  );
  blocks.push(block);
  if (host && row) affinities.push(affinity(host, cidr, row));
  return block;
}

/** Allocates an address with its handle row. */
function assign(block: BlockDraft, id: string, secondary: Record<string, string>): string {
  const counts = handles.get(id) ?? {};
  handles.set(id, counts);
  const cidr = formatCidr(block.cidr);
  counts[cidr] = (counts[cidr] ?? 0) + 1;
  return block.assign({ handle_id: id, secondary });
}

function assignPod(
  block: BlockDraft,
  name: string,
  facts: { namespace: string; node: string },
): string {
  const { namespace, node } = facts;
  const timestamp = '2026-10-05 08:00:00.123456789 +0000 UTC';
  return assign(block, podHandle(namespace, name), { namespace, node, pod: name, timestamp });
}

// The sound part: per node one block of each family, a tunnel address of each, and fifty pods with two addresses.
const four = NODES.map((node, i) =>
  claim(blockOf('10.32.0.0', 26, i), node, { labelled: i !== 7 }),
);
const six = NODES.map((node, i) => claim(blockOf('fd00:32::', 122, i), node));
const tunnels = NODES.map((node, i) => [
  assign(four[i] as BlockDraft, `vxlan-tunnel-addr-${node}`, { node, type: 'vxlanTunnelAddress' }),
  assign(six[i] as BlockDraft, `vxlan-v6-tunnel-addr-${node}`, {
    node,
    type: 'vxlanV6TunnelAddress',
  }),
]);
for (const [i, node] of NODES.entries()) {
  for (let n = 0; n < PODS_PER_NODE; n++) {
    const [namespace = '', app = ''] = (APPS[(i + n) % APPS.length] ?? '').split('/');
    const name = `${app}-${i * PODS_PER_NODE + n}`;
    const ips = [four, six].map((family) =>
      assignPod(family[i] as BlockDraft, name, { namespace, node }),
    );
    pods.push(pod(name, { namespace, node, ips }));
  }
}

const at = (family: BlockDraft[], i: number) => family[i] as BlockDraft;

// Leaks: pods that are gone, jobs that have finished, a pod that lives on another address now.
for (let n = 0; n < 6; n++)
  assignPod(at(four, n), `gone-${n}`, { namespace: 'batch', node: NODES[n] ?? '' });
for (let n = 0; n < 3; n++) {
  const facts = { namespace: 'batch', node: NODES[20] ?? '' };
  const ips = [assignPod(at(four, 20), `nightly-${n}`, facts)];
  pods.push(pod(`nightly-${n}`, { ...facts, ips, phase: 'Succeeded' }));
}
assign(at(four, 3), 'k8s-pod-network.0f5a-older-sandbox', {
  namespace: 'shop',
  node: NODES[3] ?? '',
  pod: 'cart-154',
});

// A node that was removed and left its block, with its tunnel address and two pods.
const removed = claim(blockOf('10.32.0.0', 26, 60), 'worker-99');
assign(removed, 'vxlan-tunnel-addr-worker-99', { node: 'worker-99', type: 'vxlanTunnelAddress' });
for (const n of [1, 2]) assignPod(removed, `lost-${n}`, { namespace: 'shop', node: 'worker-99' });

// Addresses in use that IPAM does not know, or knows twice.
const stray = '10.32.9.200';
pods.push(pod('restored-1', { namespace: 'shop', node: NODES[30] ?? '', ips: [stray] }));
pods.push(pod('twin-1', { namespace: 'media', node: NODES[31] ?? '', ips: [podAddress(5)] }));
pods.push(pod('guest-1', { namespace: 'ops', node: NODES[32] ?? '', ips: ['203.0.113.10'] }));

function podAddress(n: number): string {
  const status = pods[n]?.['status'] as { podIP: string };
  return status.podIP;
}

// Handles out of step with the blocks.
for (let n = 0; n < 4; n++) handles.set(`k8s-pod-network.orphan-${n}`, { '10.32.0.0/26': 1 });
const missing = podHandle('ops', 'agent-6');
handles.delete(missing);
const doubled = podHandle('search', 'indexer-3');
handles.set(
  doubled,
  Object.fromEntries(Object.keys(handles.get(doubled) ?? {}).map((cidr) => [cidr, 2])),
);

// Blocks and rows that contradict each other.
claim(blockOf('10.32.0.0', 26, 70), undefined);
affinities.push(affinity(NODES[11] ?? '', blockOf('10.32.0.0', 26, 71)));
claim(blockOf('10.32.0.0', 26, 72), NODES[12], false);
claim(blockOf('10.32.0.0', 26, 73), NODES[13], { state: 'pending' });
affinities.push(affinity(NODES[14] ?? '', blockOf('10.32.0.0', 26, 15)));
claim(blockOf('10.32.64.0', 28, 0), NODES[16]);

// Allocations that are odd but alive, cooling, or of an unknown type.
const borrowed = assign(at(four, 18), 'wireguard-tunnel-addr-worker-20', {
  node: 'worker-20',
  type: 'wireguardTunnelAddress',
});
assign(at(four, 22), 'future-feature-1', { node: NODES[22] ?? '', type: 'egressGatewayAddress' });
at(four, 23).assign({ releasedAt: '2026-10-05T09:00:00Z' });
const moved = assign(at(four, 24), podHandle('shop', 'moved-1'), {
  namespace: 'shop',
  node: NODES[23] ?? '',
  pod: 'moved-1',
});
pods.push(pod('moved-1', { namespace: 'shop', node: NODES[24] ?? '', ips: [moved] }));

// Services of the load-balancer pool: one published, one deleted; a stopped machine keeps its address.
const balancer = claim(net('10.96.128.0/26'), 'load-balancer', { type: 'virtual' });
for (const name of ['web', 'old-web']) {
  const ip = assign(balancer, `lb-${name}`, {
    namespace: 'edge',
    service: name,
    type: 'LoadBalancer',
  });
  if (name === 'web') services.push(service(name, ip));
}
assign(at(four, 26), 'k8s-pod-network.vmi.vms.db', {
  namespace: 'vms',
  node: NODES[26] ?? '',
  pod: 'virt-launcher-db-x',
  'vmi-name': 'db',
});
machines.push({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: metadata('VirtualMachine', 'db', { namespace: 'vms' }),
  spec: { runStrategy: 'Halted' },
});

function tunnelAnnotations(name: string, i: number): Record<string, string> {
  const [v4 = '', v6 = ''] = tunnels[i] ?? [];
  return {
    'projectcalico.org/IPv4VXLANTunnelAddr': v4,
    'projectcalico.org/IPv6VXLANTunnelAddr': v6,
    ...(name === 'worker-20' ? { 'projectcalico.org/IPv4WireguardInterfaceAddr': borrowed } : {}),
  };
}

const documents = [
  list('List', [
    calico('ClusterInformation', 'default', {
      clusterGUID: '7c1f0f52a8e24f0c9b7d3e61a5c40d18',
      clusterType: 'k8s,bgp,kdd',
      calicoVersion: 'v3.33.0',
      datastoreReady: true,
    }),
    calico('KubeControllersConfiguration', 'default', {
      controllers: {
        loadBalancer: { assignIPs: 'AllServices' },
        node: { leakGracePeriod: '15m0s' },
      },
    }),
    calico('IPAMConfig', 'default', {
      autoAllocateBlocks: true,
      maxBlocksPerHost: 4,
      strictAffinity: false,
      ipCooldownSeconds: 300,
    }),
    pool('pods-v4', '10.32.0.0/16'),
    pool('pods-v6', 'fd00:32::/64'),
    pool('services', '10.96.128.0/24', { allowedUses: ['LoadBalancer'], vxlanMode: 'Never' }),
    pool('retired', '10.40.0.0/20', { disabled: true }),
    calico('IPReservation', 'printers', { reservedCIDRs: ['10.32.0.4/32', '10.32.200.0/28'] }),
  ]),
  list(
    'List',
    blocks.map((block) => block.object()),
  ),
  list('List', affinities),
  list(
    'List',
    [...handles].map(([id, counts]) => handle(id, counts)),
  ),
  list(
    'NodeList',
    NODES.map((name, i) => node(name, i, tunnelAnnotations(name, i))),
  ),
  list('PodList', pods),
  list('ServiceList', services),
  list('VirtualMachineList', machines),
  list('VirtualMachineInstanceList', []),
];

const text = documents
  .map((document) =>
    stringify(document, { lineWidth: 0, aliasDuplicateObjects: false, version: '1.1' }),
  )
  .join('---\n');
writeFileSync(new URL('troubled-cluster.yaml.gz', import.meta.url), gzipSync(text, { level: 9 }));
