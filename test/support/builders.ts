import { type Address, parseAddress } from '../../src/net/address.ts';
import { type Cidr, cidrSize, formatCidr, parseCidr } from '../../src/net/cidr.ts';
import type { AffinityRow } from '../../src/ipam/model/affinity.ts';
import type { BlockAttribute, BlockRow } from '../../src/ipam/model/block.ts';
import type { HandleRow } from '../../src/ipam/model/handle.ts';
import { affinityName, cidrToName, handleName } from '../../src/ipam/model/names.ts';
import type { NodeRow, TunnelType } from '../../src/ipam/model/node.ts';
import { DEFAULT_USES, type PoolRow, defaultBlockSize } from '../../src/ipam/model/pool.ts';
import type { ReservationRow } from '../../src/ipam/model/reservation.ts';
import { RESOURCE_KINDS, type ResourceKind, type Revision } from '../../src/ipam/model/resource.ts';
import type { Row } from '../../src/ipam/model/row.ts';
import type { ServiceRow } from '../../src/ipam/model/service.ts';
import type { PodRow } from '../../src/ipam/model/workload-endpoint.ts';
import { ClusterStateBuilder } from '../../src/ipam/state/builder.ts';
import type { ClusterState } from '../../src/ipam/state/cluster-state.ts';

/** The moment of judgement in tests: 2026-11-29T12:00:00Z. */
export const NOW = Date.UTC(2026, 10, 29, 12);

/** A time well before {@link NOW}: twenty days. */
export const LONG_AGO = NOW - 20 * 86_400_000;

/** What rules get beside the state: {@link NOW} and five minutes. */
export const CONTEXT = { now: NOW, minAgeMs: 300_000 };

/** Parses an address that the test knows to be one. */
export function ip(text: string): Address {
  const address = parseAddress(text);
  if (address === undefined) throw new Error(`"${text}" is no address`);
  return address;
}

/** Parses a prefix that the test knows to be one. */
export function net(text: string): Cidr {
  const cidr = parseCidr(text);
  if (!cidr) throw new Error(`"${text}" is no CIDR`);
  return cidr;
}

/** Slot of a pod: `podSlot('shop/cart-0', 'node-a')`; the handle is derived from the name unless given. */
export function podSlot(
  pod: string,
  node: string,
  more: Partial<BlockAttribute> = {},
): BlockAttribute {
  const [namespace = '', name = ''] = pod.split('/');
  return {
    handle: `k8s-pod-network.${namespace}-${name}`,
    owner: { namespace, pod: name, node },
    ...more,
  };
}

/** Slot of a tunnel address. */
export function tunnelSlot(node: string, type = 'vxlanTunnelAddress'): BlockAttribute {
  return { handle: `vxlan-tunnel-addr-${node}`, owner: { node, type } };
}

/** Slot of a Service address. */
export function serviceSlot(service: string): BlockAttribute {
  const [namespace = '', name = ''] = service.split('/');
  return {
    handle: `lb-${namespace}-${name}`,
    owner: { namespace, service: name, type: 'LoadBalancer' },
  };
}

/** Slot that was released so many milliseconds before {@link NOW}. */
export function coolingSlot(agoMs = 30_000): BlockAttribute {
  return { owner: {}, releasedAt: NOW - agoMs };
}

/** Slot that a Windows node reserves. */
export function windowsSlot(): BlockAttribute {
  return { handle: 'windows-reserved-ipam-handle', owner: { note: 'windows reserved' } };
}

/** A sound block: every slot of `slots` allocated, the rest free. Anything may be overridden to damage it. */
export function aBlock(
  cidr: string,
  slots: Readonly<Record<number, BlockAttribute>> = {},
  more: Partial<BlockRow> = {},
): BlockRow {
  const range = net(cidr);
  const size = Number(cidrSize(range));
  const ordinals = Object.keys(slots).map(Number);
  return {
    kind: 'IPAMBlock',
    key: { name: cidrToName(range) },
    revision: '100' as Revision,
    createdAt: LONG_AGO,
    cidr: range,
    affinity: 'host:node-a',
    allocations: Array.from({ length: size }, (_, ordinal) =>
      ordinal in slots ? ordinals.indexOf(ordinal) : null,
    ),
    unallocated: Array.from({ length: size }, (_, ordinal) => ordinal).filter(
      (ordinal) => !(ordinal in slots),
    ),
    attributes: Object.values(slots),
    sequenceNumber: 1764426000123456789n,
    sequenceNumbers: new Map(
      ordinals.map((ordinal) => [ordinal, 1764426000123456000n + BigInt(ordinal)]),
    ),
    deleted: false,
    misreadings: [],
    ...more,
  };
}

/** A confirmed, labelled host affinity. */
export function anAffinity(
  host: string,
  cidr: string,
  more: Partial<AffinityRow> = {},
): AffinityRow {
  const range = net(cidr);
  return {
    kind: 'BlockAffinity',
    key: { name: affinityName(host, range) },
    revision: '101' as Revision,
    createdAt: LONG_AGO,
    type: 'host',
    host,
    cidr: range,
    state: 'confirmed',
    deleted: false,
    labelled: true,
    ...more,
  };
}

/** A handle with counts per block: `aHandle('id', {'10.0.0.0/26': 1})`. */
export function aHandle(
  id: string,
  counts: Readonly<Record<string, number>>,
  more: Partial<HandleRow> = {},
): HandleRow {
  return {
    kind: 'IPAMHandle',
    key: { name: handleName(id) },
    revision: '102' as Revision,
    uid: '0d9f6a52-7f0e-4b63-9a55-2f1f0a9f7c11',
    createdAt: LONG_AGO,
    id,
    counts: Object.entries(counts).map(([text, count]) => ({ text, cidr: parseCidr(text), count })),
    deleted: false,
    ...more,
  };
}

/** An enabled pool. */
export function aPool(name: string, cidr: string, more: Partial<PoolRow> = {}): PoolRow {
  const range = net(cidr);
  return {
    kind: 'IPPool',
    key: { name },
    createdAt: LONG_AGO,
    cidr: range,
    blockSize: defaultBlockSize(range),
    disabled: false,
    allocatable: true,
    lostOverlap: false,
    nodeSelector: 'all()',
    namespaceSelector: '',
    allowedUses: DEFAULT_USES,
    assignmentMode: 'Automatic',
    ...more,
  };
}

/** A reservation of some prefixes. */
export function aReservation(name: string, ...cidrs: string[]): ReservationRow {
  return { kind: 'IPReservation', key: { name }, cidrs: cidrs.map(net), unreadableEntries: [] };
}

/** A Kubernetes node: `aNode('node-a', {vxlan: '10.0.0.1'})`. */
export function aNode(
  name: string,
  tunnels: Partial<Record<TunnelType, string>> = {},
  more: Partial<NodeRow> = {},
): NodeRow {
  return {
    kind: 'Node',
    key: { name },
    createdAt: LONG_AGO,
    origin: 'kubernetes',
    kubernetesName: name,
    tunnels: Object.entries(tunnels).map(([type, address]) => ({
      type: type as TunnelType,
      address: ip(address),
    })),
    unreadableTunnels: [],
    labels: {},
    ...more,
  };
}

/** A running pod: `aPod('shop/cart-0', 'node-a', '10.0.0.5')`. */
export function aPod(
  name: string,
  node: string,
  addresses: string | readonly string[] = [],
  more: Partial<PodRow> = {},
): PodRow {
  const [namespace, pod = ''] = name.split('/');
  return {
    kind: 'Pod',
    key: { namespace, name: pod },
    createdAt: LONG_AGO,
    node,
    finished: false,
    hostNetwork: false,
    addresses: [addresses].flat().map(ip),
    ...more,
  };
}

/** A Service of type LoadBalancer. */
export function aService(
  name: string,
  addresses: string | readonly string[] = [],
  more: Partial<ServiceRow> = {},
): ServiceRow {
  const [namespace, service = ''] = name.split('/');
  return {
    kind: 'Service',
    key: { namespace, name: service },
    createdAt: LONG_AGO,
    requested: false,
    addresses: [addresses].flat().map(ip),
    ...more,
  };
}

/** Every kind that a Kubernetes cluster is read for. */
export const KUBERNETES_KINDS: readonly ResourceKind[] = RESOURCE_KINDS.filter(
  (kind) => kind !== 'WorkloadEndpoint',
);

/** State of a cluster with these rows, in which every kind of {@link KUBERNETES_KINDS} but `without` was read. */
export function clusterOf(
  rows: readonly Row[],
  { without = [] }: { without?: readonly ResourceKind[] } = {},
): ClusterState {
  const builder = new ClusterStateBuilder();
  for (const kind of KUBERNETES_KINDS) if (!without.includes(kind)) builder.markLoaded(kind);
  for (const row of rows) builder.add(row);
  return builder.build();
}

/** A block with its affinity row and a handle row per handle of its slots. */
export function withRows(block: BlockRow): Row[] {
  const counts = new Map<string, number>();
  for (const index of block.allocations) {
    const handle = index === null ? undefined : block.attributes[index]?.handle;
    if (handle && handle !== 'windows-reserved-ipam-handle')
      counts.set(handle, (counts.get(handle) ?? 0) + 1);
  }
  const cidr = formatCidr(block.cidr);
  const [type, host] = block.affinity?.split(':') ?? [];
  return [
    block,
    ...(type && host ? [anAffinity(host, cidr, { type })] : []),
    ...[...counts].map(([id, count]) => aHandle(id, { [cidr]: count })),
  ];
}
