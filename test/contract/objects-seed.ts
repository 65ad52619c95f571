import type { ObjectKind } from '../../src/datastore/object-store.ts';
import type { JsonObject } from '../../src/ipam/model/resource.ts';

/** An integer that no JavaScript number holds. */
export const EXACT_INTEGER = 1764426000123456789n;

/** An object as it is shown, and as the older group stores it. */
export interface SeededObject {
  readonly kind: ObjectKind;
  readonly shown: JsonObject;
  readonly older: JsonObject;
}

const NEWER = 'projectcalico.org/v3';
const OLDER = 'crd.projectcalico.org/v1';
const COPY = 'projectcalico.org/metadata';

interface Parts {
  readonly metadata: JsonObject;
  /** Metadata as the older group stores them; the same when absent. */
  readonly stored?: JsonObject;
  readonly spec: JsonObject;
}

function seeded(kind: ObjectKind, { metadata, stored = metadata, spec }: Parts): SeededObject {
  return {
    kind,
    shown: { apiVersion: NEWER, kind, metadata, spec },
    older: { apiVersion: OLDER, kind, metadata: stored, spec },
  };
}

const POOL_LABELS = { 'example.com/team': 'blue', 'projectcalico.org/zone': 'a' };

/**
 * Objects of several kinds: with a copy of the metadata and without one, named as they are stored and otherwise, of
 * clusters and of two namespaces.
 */
export const SEEDED_OBJECTS: readonly SeededObject[] = [
  seeded('IPPool', {
    metadata: { name: 'main', labels: POOL_LABELS, annotations: { 'example.com/note': 'kept' } },
    stored: {
      name: 'main',
      labels: { 'projectcalico.org/zone': 'a' },
      annotations: {
        [COPY]: JSON.stringify({
          labels: POOL_LABELS,
          annotations: { 'example.com/note': 'kept' },
        }),
      },
    },
    spec: {
      cidr: '198.18.0.0/24',
      blockSize: 28,
      ipipMode: 'Never',
      vxlanMode: 'Never',
      natOutgoing: true,
      nodeSelector: 'all()',
      allowedUses: ['Workload', 'Tunnel'],
      assignmentMode: 'Automatic',
    },
  }),
  seeded('IPReservation', {
    metadata: { name: 'printers' },
    spec: { reservedCIDRs: ['198.18.0.240/28'] },
  }),
  seeded('BGPPeer', {
    metadata: { name: 'rack', labels: { rack: 'r1' } },
    spec: { peerIP: '192.0.2.1', asNumber: 64512, unknownToAll: { kept: EXACT_INTEGER } },
  }),
  seeded('GlobalNetworkPolicy', {
    metadata: { name: 'deny-all', labels: { team: 'blue' } },
    stored: {
      name: 'default.deny-all',
      annotations: { [COPY]: '{"name":"deny-all","labels":{"team":"blue"}}' },
    },
    spec: { tier: 'default', types: ['Ingress'] },
  }),
  seeded('GlobalNetworkPolicy', {
    metadata: { name: 'by-kubectl' },
    stored: { name: 'default.by-kubectl' },
    spec: { types: ['Egress'] },
  }),
  seeded('GlobalNetworkPolicy', {
    metadata: { name: 'security.open' },
    spec: { tier: 'security', types: ['Egress'] },
  }),
  ...['default', 'kube-system'].map((namespace) =>
    seeded('NetworkSet', {
      metadata: { name: 'peers', namespace },
      stored: { name: 'peers', namespace, annotations: { [COPY]: '{"creationTimestamp":null}' } },
      spec: { nets: [`203.0.113.${namespace.length}/32`] },
    }),
  ),
  seeded('FelixConfiguration', {
    metadata: { name: 'node.alder' },
    spec: { logSeverityScreen: 'Info', bpfEnabled: false },
  }),
];

/** Kubernetes nodes of which Calico shows its own. */
export const KUBERNETES_NODES: readonly JsonObject[] = [
  {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: 'alder',
      labels: { zone: 'a' },
      annotations: {
        'example.com/note': 'kept',
        'projectcalico.org/IPv4Address': '192.0.2.11/24',
        'projectcalico.org/ASNumber': '64512',
        'projectcalico.org/IPv4VXLANTunnelAddr': '198.18.0.1',
        'projectcalico.org/IPv4IPIPTunnelAddr': '198.18.0.0/28x',
        'projectcalico.org/labels': '{"rack":"r1","zone":"b"}',
      },
    },
    spec: {},
  },
  { apiVersion: 'v1', kind: 'Node', metadata: { name: 'birch' }, spec: {} },
];

/** What Calico shows of {@link KUBERNETES_NODES}. */
export const SHOWN_NODES: readonly JsonObject[] = [
  {
    apiVersion: NEWER,
    kind: 'Node',
    metadata: {
      name: 'alder',
      labels: { rack: 'r1', zone: 'a' },
      annotations: { 'projectcalico.org/kube-labels': '{"zone":"a"}' },
    },
    spec: {
      bgp: { ipv4Address: '192.0.2.11/24', asNumber: 64512 },
      ipv4VXLANTunnelAddr: '198.18.0.1',
      addresses: [{ address: '192.0.2.11/24', type: 'CalicoNodeIP' }],
      orchRefs: [{ nodeName: 'alder', orchestrator: 'k8s' }],
    },
  },
  {
    apiVersion: NEWER,
    kind: 'Node',
    metadata: {
      name: 'birch',
      annotations: { 'projectcalico.org/kube-labels': 'null' },
    },
    spec: { orchRefs: [{ nodeName: 'birch', orchestrator: 'k8s' }] },
  },
];

/** Everything as etcd has it, where Calico keeps nodes of its own. */
export const ETCD_SEED: readonly JsonObject[] = [
  ...SEEDED_OBJECTS.map(({ shown }) => shown),
  ...SHOWN_NODES,
];

/** Written out here, so that the folders of etcd are no echo of the code. */
const PLURALS: Readonly<Record<string, string>> = {
  IPPool: 'ippools',
  IPReservation: 'ipreservations',
  BGPPeer: 'bgppeers',
  GlobalNetworkPolicy: 'globalnetworkpolicies',
  NetworkSet: 'networksets',
  FelixConfiguration: 'felixconfigurations',
  Node: 'nodes',
};

/** The key of etcd under which an object of the seed stands. */
export function entryPath({ kind, metadata }: JsonObject): string {
  const { name, namespace } = metadata as { name: string; namespace?: string };
  const folder = `/calico/resources/v3/projectcalico.org/${PLURALS[kind as string] ?? ''}`;
  return namespace === undefined ? `${folder}/${name}` : `${folder}/${namespace}/${name}`;
}

/** A peer that no seed holds. */
export function newPeer(name = 'spine'): JsonObject {
  return {
    apiVersion: NEWER,
    kind: 'BGPPeer',
    metadata: {
      name,
      labels: { 'example.com/team': 'red' },
      annotations: { 'example.com/note': 'new' },
    },
    spec: { peerIP: '192.0.2.9', asNumber: 65000 },
  };
}

/** A network set that no seed holds. */
export function newNetworkSet(name: string, namespace = 'default'): JsonObject {
  return {
    apiVersion: NEWER,
    kind: 'NetworkSet',
    metadata: { name, namespace },
    spec: { nets: ['203.0.113.1/32'] },
  };
}
