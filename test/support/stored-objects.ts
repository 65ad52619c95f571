import type { JsonObject, JsonValue, ResourceKind } from '../../src/ipam/model/resource.ts';

/** API versions of the objects below. */
export const OLDER = 'crd.projectcalico.org/v1';
export const NEWER = 'projectcalico.org/v3';

/** Parts of an object that a test wants to be otherwise. */
export interface ObjectParts {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: JsonObject;
  readonly spec?: JsonValue;
  readonly status?: JsonValue;
}

/** A stored object with usual metadata; members of `metadata` are added to it, other parts replace. */
export function anObject(parts: ObjectParts): JsonObject {
  const { metadata, ...rest } = parts;
  return {
    apiVersion: OLDER,
    metadata: {
      name: 'thing',
      uid: '0c8c26a6-c6a6-44c6-adc6-ac2646b46c1c',
      resourceVersion: '4711',
      creationTimestamp: '2026-11-29T09:00:00Z',
      ...metadata,
    },
    ...rest,
  };
}

/** A pod of namespace `shop`; facts go to `spec` and `status`. */
export function aPod(parts: {
  readonly spec?: JsonObject;
  readonly status?: JsonObject;
  readonly annotations?: JsonObject;
  readonly metadata?: JsonObject;
}): JsonObject {
  return anObject({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      namespace: 'shop',
      name: 'cart-0',
      annotations: parts.annotations ?? {},
      ...parts.metadata,
    },
    spec: { nodeName: 'node-1', ...parts.spec },
    status: { phase: 'Running', ...parts.status },
  });
}

/** A Kubernetes node. */
export function aNode(annotations: JsonObject, metadata: JsonObject = {}): JsonObject {
  return anObject({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'node-1', annotations, ...metadata },
    spec: {},
  });
}

/** The spec of a four-address block with one pod, one cooling address and 64-bit sequence numbers. */
export function blockSpec(changes: JsonObject = {}): JsonObject {
  return {
    cidr: '10.60.0.4/30',
    affinity: 'host:node-1',
    affinityClaimTime: '2026-11-29T09:00:00Z',
    allocations: [null, 0, null, 1],
    unallocated: [0, 2],
    attributes: [
      {
        handle_id: 'k8s-pod-network.4f1ad2',
        secondary: { namespace: 'shop', node: 'node-1', pod: 'cart-0' },
      },
      { releasedAt: '2026-11-29T09:05:00Z' },
    ],
    sequenceNumber: 1795942800000000123n,
    sequenceNumberForAllocation: { 1: 1795942800000000120n, 3: 1795942800000000121n },
    deleted: false,
    strictAffinity: false,
    ...changes,
  };
}

/** A sound object and the API version that it is of. */
export interface SoundObject {
  readonly kind: ResourceKind;
  readonly form: string;
  readonly object: JsonObject;
}

/** One sound object of every kind and form. */
export const SOUND_OBJECTS: readonly SoundObject[] = listSoundObjects().map(({ kind, object }) => ({
  kind,
  form: object['apiVersion'] as string,
  object,
}));

function listSoundObjects(): readonly Omit<SoundObject, 'form'>[] {
  return [
    {
      kind: 'ClusterInformation',
      object: anObject({
        metadata: { name: 'default' },
        spec: {
          clusterGUID: 'abc',
          clusterType: 'k8s',
          calicoVersion: 'v3.33.0',
          datastoreReady: true,
        },
      }),
    },
    {
      kind: 'KubeControllersConfiguration',
      object: anObject({ spec: { controllers: { loadBalancer: { assignIPs: 'AllServices' } } } }),
    },
    {
      kind: 'IPAMConfig',
      object: anObject({
        spec: {
          strictAffinity: true,
          autoAllocateBlocks: true,
          maxBlocksPerHost: 4,
          kubeVirtVMAddressPersistence: 'Enabled',
          ipCooldownSeconds: 60,
        },
      }),
    },
    {
      kind: 'IPPool',
      object: anObject({
        metadata: { annotations: { 'projectcalico.org/metadata': '{"labels":{"team":"blue"}}' } },
        spec: {
          cidr: '10.60.0.0/16',
          blockSize: 26,
          disabled: false,
          nodeSelector: 'all()',
          namespaceSelector: 'all()',
          allowedUses: ['Workload', 'Tunnel'],
          assignmentMode: 'Automatic',
        },
        status: { conditions: [{ type: 'Allocatable', status: 'True', reason: 'OK' }] },
      }),
    },
    { kind: 'IPReservation', object: anObject({ spec: { reservedCIDRs: ['10.60.1.0/24'] } }) },
    { kind: 'IPAMBlock', object: anObject({ spec: blockSpec() }) },
    {
      kind: 'IPAMHandle',
      object: anObject({
        spec: { handleID: 'k8s-pod-network.4f1ad2', block: { '10.60.0.4/30': 1 }, deleted: false },
      }),
    },
    {
      kind: 'BlockAffinity',
      object: anObject({
        metadata: { labels: { 'projectcalico.org/affinity-type': 'host' } },
        spec: {
          state: 'confirmed',
          node: 'node-1',
          type: 'host',
          cidr: '10.60.0.4/30',
          deleted: 'false',
        },
      }),
    },
    {
      kind: 'Node',
      object: aNode(
        { 'projectcalico.org/IPv4IPIPTunnelAddr': '10.60.0.5', 'projectcalico.org/labels': '{}' },
        { labels: { zone: 'a' } },
      ),
    },
    {
      kind: 'Node',
      object: anObject({
        apiVersion: NEWER,
        kind: 'Node',
        spec: {
          bgp: { ipv4IPIPTunnelAddr: '10.60.0.1' },
          ipv4VXLANTunnelAddr: '10.60.0.2',
          wireguard: { interfaceIPv4Address: '10.60.0.3' },
          orchRefs: [{ nodeName: 'node-1', orchestrator: 'k8s' }],
        },
      }),
    },
    {
      kind: 'Pod',
      object: aPod({
        spec: { hostNetwork: false },
        status: { podIP: '10.60.0.5', podIPs: [{ ip: '10.60.0.5' }] },
        annotations: { 'cni.projectcalico.org/podIPs': '10.60.0.5/32' },
      }),
    },
    {
      kind: 'WorkloadEndpoint',
      object: anObject({
        apiVersion: NEWER,
        metadata: { namespace: 'shop' },
        spec: { node: 'node-1', orchestrator: 'k8s', pod: 'cart-0', ipNetworks: ['10.60.0.5/32'] },
      }),
    },
    {
      kind: 'Service',
      object: anObject({
        apiVersion: 'v1',
        metadata: { namespace: 'shop', annotations: { 'projectcalico.org/ipv4pools': '["a"]' } },
        spec: { type: 'LoadBalancer', loadBalancerClass: 'calico', loadBalancerIP: '10.9.8.1' },
        status: { loadBalancer: { ingress: [{ ip: '10.9.8.1' }] } },
      }),
    },
    { kind: 'VirtualMachine', object: anObject({ metadata: { namespace: 'shop' }, spec: {} }) },
    { kind: 'VirtualMachineInstance', object: anObject({ metadata: { namespace: 'shop' } }) },
  ];
}
