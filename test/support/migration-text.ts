/** Texts of migration files. */
import { OBJECT_KINDS } from '../../src/datastore/object-store.ts';
import { type JsonObject, type JsonValue, stringifyJson } from '../../src/support/json.ts';

const NEWER = 'projectcalico.org/v3';

/** An entry of the third part. */
export interface Entry {
  readonly Key: string;
  readonly Value: JsonValue;
}

/** What a migration file is made of. */
export interface FileParts {
  /** Objects of the first part by their kind; every kind is listed, be it with nothing. */
  readonly objects?: Readonly<Record<string, readonly JsonObject[]>>;
  readonly spec?: JsonObject;
  readonly affinities?: readonly Entry[];
  readonly blocks?: readonly Entry[];
  readonly handles?: readonly Entry[];
  readonly config?: Entry;
}

/** A file of two nodes, two blocks, three handles and objects of several kinds. */
export const PLAIN_FILE: FileParts = {
  objects: {
    IPPool: [anObject('main', { cidr: '198.18.0.0/24', blockSize: 28, ipipMode: 'Always' })],
    Tier: [
      anObject('default', { order: 1000000, defaultAction: 'Deny' }),
      anObject('ours', { order: 5 }),
    ],
    GlobalNetworkPolicy: [
      anObject('deny-all', { tier: 'ours', selector: 'all()' }, { team: 'net' }),
    ],
    NetworkSet: [inNamespace('shop', anObject('partners', { nets: ['203.0.113.0/24'] }))],
    Node: [
      anObject('node-a', {
        bgp: { ipv4Address: '192.0.2.1/24', ipv4IPIPTunnelAddr: '198.18.0.0' },
      }),
      anObject('node-b', { bgp: { ipv4Address: '192.0.2.2/24', asNumber: 64512 } }, { rack: 'b' }),
    ],
    IPReservation: [anObject('printers', { reservedCIDRs: ['198.18.0.64/28'] })],
    FelixConfiguration: [anObject('default', { logSeverityScreen: 'Info' })],
  },
  affinities: [
    anAffinity('host/node-a', '198.18.0.0-28'),
    anAffinity('host/node-b', '198.18.0.16-28'),
  ],
  blocks: [
    aBlock('198.18.0.0-28', 'host:node-a', {
      0: 'ipip-tunnel-addr-node-a',
      1: 'k8s-pod-network.aa',
    }),
    aBlock('198.18.0.16-28', 'host:node-b', { 3: 'k8s-pod-network.bb' }),
  ],
  handles: [
    aHandle('ipip-tunnel-addr-node-a', { '198.18.0.0/28': 1 }),
    aHandle('k8s-pod-network.aa', { '198.18.0.0/28': 1 }),
    aHandle('k8s-pod-network.bb', { '198.18.0.16/28': 1 }),
  ],
  config: {
    Key: '/calico/ipam/v2/config',
    Value: { strict_affinity: true, auto_allocate_blocks: true, maxBlocksPerHost: 4 },
  },
};

/** An object of the first part. */
export function anObject(name: string, spec: JsonObject = {}, labels: JsonObject = {}): JsonObject {
  const isBare = Object.keys(labels).length === 0;
  return { metadata: { name, ...(isBare ? {} : { labels }) }, spec };
}

/** The same in a namespace. */
export function inNamespace(namespace: string, object: JsonObject): JsonObject {
  return { ...object, metadata: { ...(object['metadata'] as JsonObject), namespace } };
}

/** An affinity row; the owner as in the key. */
export function anAffinity(owner: string, block: string, state = 'confirmed'): Entry {
  const family = block.includes(':') ? 6 : 4;
  return {
    Key: `/calico/ipam/v2/${owner}/ipv${family}/block/${block}`,
    Value: { state, deleted: false },
  };
}

/** A block of 16 addresses whose ordinals are held by handles. */
export function aBlock(
  block: string,
  affinity: string | null,
  held: Readonly<Record<number, string>> = {},
  more: JsonObject = {},
): Entry {
  const ordinals = Array.from({ length: 16 }, (_, at) => at);
  const holders = Object.entries(held);
  const family = block.includes(':') ? 6 : 4;
  return {
    Key: `/calico/ipam/v2/assignment/ipv${family}/block/${block}`,
    Value: {
      cidr: block.replace(/-(?=[^-]*$)/, '/'),
      affinity,
      affinity_claim_time: '2026-11-09T12:00:01Z',
      allocations: ordinals.map((at) => {
        const index = holders.findIndex(([ordinal]) => Number(ordinal) === at);
        return index < 0 ? null : index;
      }),
      unallocated: ordinals.filter((at) => !(at in held)).reverse(),
      attributes: holders.map(([, handle]) => ({
        handle_id: handle,
        secondary: {
          node: affinity?.replace(/^\w+:/, '') ?? 'node-a',
          namespace: 'shop',
          pod: handle,
        },
      })),
      sequenceNumber: 1794225600904827404n,
      sequenceNumberForAllocation: Object.fromEntries(
        holders.map(([ordinal], at) => [ordinal, 1794225600904827401n + BigInt(at)]),
      ),
      deleted: false,
      ...more,
    },
  };
}

/** A handle with its counts. */
export function aHandle(id: string, block: JsonObject): Entry {
  return { Key: `/calico/ipam/v2/handle/${id}`, Value: { block, deleted: false } };
}

/** The text of a file. */
export function fileText(parts: FileParts = PLAIN_FILE): string {
  const kinds = OBJECT_KINDS.filter((kind) => kind !== 'CalicoNodeStatus');
  const lists = kinds.map((kind) =>
    stringifyJson({
      apiVersion: NEWER,
      kind: `${kind}List`,
      items: (parts.objects?.[kind] ?? []).map((object) => ({
        apiVersion: NEWER,
        kind,
        ...object,
      })),
    }),
  );
  const information = {
    kind: 'ClusterInformation',
    apiVersion: NEWER,
    metadata: { name: 'default' },
    spec: {
      clusterGUID: '5d0c3c1e8f0b4b6fa9e2d7c6b5a49382',
      clusterType: 'k8s,bgp',
      calicoVersion: 'v3.33.0',
      datastoreReady: false,
      ...parts.spec,
    },
  };
  const ipam = {
    ...(parts.affinities && { block_affinities: parts.affinities }),
    ...(parts.blocks && { blocks: parts.blocks }),
    ...(parts.handles && { handles: parts.handles }),
    ...(parts.config && { config: parts.config }),
  };
  return `${lists.map((list) => `${list}\n---\n`).join('')}===\n${stringifyJson(information, 2)}\n===\n${stringifyJson(ipam, 2)}\n`;
}
