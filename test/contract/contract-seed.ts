import type { JsonObject, ResourceKind } from '../../src/ipam/model/resource.ts';

/** A sequence number that no JavaScript number holds. */
export const EXACT_SEQUENCE_NUMBER = 1764426000123456789n;

/** Objects to start from; `emptyKinds` are known to have none, which backends may or may not be able to express. */
export interface ContractSeed {
  readonly objects: readonly JsonObject[];
  readonly emptyKinds: readonly ResourceKind[];
}

const CALICO = 'crd.projectcalico.org/v1';

function calico(kind: string, name: string, spec: JsonObject): JsonObject {
  return { apiVersion: CALICO, kind, metadata: { name }, spec };
}

function pool(name: string, cidr: string, blockSize: number): JsonObject {
  const object = calico('IPPool', name, {
    cidr,
    blockSize,
    ipipMode: 'Never',
    vxlanMode: 'Never',
    natOutgoing: true,
    nodeSelector: 'all()',
    allowedUses: ['Workload', 'Tunnel'],
    assignmentMode: 'Automatic',
  });
  const annotations = { 'example.com/note': 'kept', 'example.com/number': '007' };
  return { ...object, metadata: { name, annotations, labels: { 'example.com/team': 'blue' } } };
}

function block(name: string, cidr: string, handle: string): JsonObject {
  return calico('IPAMBlock', name, {
    cidr,
    affinity: 'host:node-a',
    allocations: [null, 0, null, null],
    unallocated: [0, 2, 3],
    attributes: [
      { handle_id: handle, secondary: { namespace: 'default', pod: 'web-0', node: 'node-a' } },
    ],
    sequenceNumber: EXACT_SEQUENCE_NUMBER,
    sequenceNumberForAllocation: { '1': EXACT_SEQUENCE_NUMBER - 1n },
    deleted: false,
    strictAffinity: false,
  });
}

function affinity(name: string, cidr: string): JsonObject {
  return calico('BlockAffinity', name, {
    state: 'confirmed',
    node: 'node-a',
    type: 'host',
    cidr,
    deleted: 'false',
  });
}

function handle(id: string, blocks: Record<string, number>): JsonObject {
  return calico('IPAMHandle', id.toLowerCase(), { handleID: id, block: blocks, deleted: false });
}

function node(name: string, tunnel: string): JsonObject {
  const annotations = { 'projectcalico.org/IPv4VXLANTunnelAddr': tunnel };
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, annotations, labels: { zone: 'a' } } };
}

function pod(namespace: string, name: string, addresses: readonly string[]): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, annotations: { 'example.com/note': 'kept' } },
    spec: { nodeName: 'node-a', containers: [{ name: 'main', image: 'example.com/app:1' }] },
    status: {
      phase: 'Running',
      podIP: addresses[0] ?? '',
      podIPs: addresses.map((ip) => ({ ip })),
    },
  };
}

function service(name: string, type: string, addresses: readonly string[]): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'default' },
    spec: { type, ports: [{ port: 80 }], selector: { app: name } },
    status: { loadBalancer: { ingress: addresses.map((ip) => ({ ip })) } },
  };
}

/**
 * A small cluster of both families with all kinds but KubeVirt's. Only fields that a real API server takes, in namespaces
 * that every cluster has; `status` has to be written through its subresource there.
 */
export const SMALL_SEED: ContractSeed = {
  objects: [
    calico('ClusterInformation', 'default', {
      clusterGUID: '0123456789abcdef0123456789abcdef',
      clusterType: 'k8s,kdd',
      calicoVersion: 'v3.32.0',
      datastoreReady: true,
    }),
    calico('KubeControllersConfiguration', 'default', {
      controllers: { loadBalancer: { assignIPs: 'AllServices' } },
    }),
    calico('IPAMConfig', 'default', {
      strictAffinity: false,
      autoAllocateBlocks: true,
      maxBlocksPerHost: 4,
    }),
    pool('pool-v4', '198.18.0.0/24', 30),
    pool('pool-v6', '2001:db8:50::/120', 126),
    calico('IPReservation', 'gateways', { reservedCIDRs: ['198.18.0.0/32', '2001:db8:50::/128'] }),
    block('198-18-0-0-30', '198.18.0.0/30', 'k8s-pod-network.Web0'),
    block('2001-db8-50---126', '2001:db8:50::/126', 'k8s-pod-network.Web0'),
    handle('k8s-pod-network.Web0', { '198.18.0.0/30': 1, '2001:db8:50::/126': 1 }),
    affinity('node-a-198-18-0-0-30', '198.18.0.0/30'),
    affinity('node-a-2001-db8-50---126', '2001:db8:50::/126'),
    node('node-a', '198.18.0.65'),
    node('node-b', '198.18.0.129'),
    pod('default', 'web-0', ['198.18.0.1', '2001:db8:50::1']),
    pod('kube-system', 'web-0', ['198.18.0.2']),
    service('public', 'LoadBalancer', ['198.18.0.77']),
    service('internal', 'ClusterIP', []),
  ],
  emptyKinds: ['VirtualMachineInstance'],
};

/** Number of handles in {@link LARGE_SEED}. */
export const LARGE_COUNT = 3000;

/** One kind with more objects than any batch or page holds. */
export const LARGE_SEED: ContractSeed = {
  objects: Array.from({ length: LARGE_COUNT }, (_, index) =>
    handle(`k8s-pod-network.large-${index}`, { '198.18.0.0/30': 1 }),
  ),
  emptyKinds: [],
};
