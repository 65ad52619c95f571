import { METADATA_ANNOTATION } from '../model/object-metadata.ts';
import type { JsonObject, JsonValue, ResourceKind } from '../model/resource.ts';
import { type Mapper, type Shape, isObject, keep, list, shape } from './mappers.ts';

/** Annotations by which a Kubernetes node shows its tunnel addresses. */
export const NODE_ANNOTATIONS = [
  'projectcalico.org/IPv4VXLANTunnelAddr',
  'projectcalico.org/IPv6VXLANTunnelAddr',
  'projectcalico.org/IPv4IPIPTunnelAddr',
  'projectcalico.org/IPv4WireguardInterfaceAddr',
  'projectcalico.org/IPv6WireguardInterfaceAddr',
] as const;

/** Annotations by which a pod shows its addresses. */
export const POD_ANNOTATIONS = [
  'cni.projectcalico.org/podIPs',
  'cni.projectcalico.org/podIP',
  'vpc.amazonaws.com/pod-ips',
] as const;

/** Annotations by which a Service asks for addresses of Calico. */
export const SERVICE_ANNOTATIONS = [
  'projectcalico.org/ipv4pools',
  'projectcalico.org/ipv6pools',
  'projectcalico.org/loadBalancerIPs',
] as const;

/** Labels that Calico keeps for a Kubernetes node, as JSON. */
const NODE_LABELS_ANNOTATION = 'projectcalico.org/labels';

const HEAD = [
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'deletionTimestamp',
];

/** What is no object where one belongs: of which type it is says enough. */
const bare: Mapper = (value) => (Array.isArray(value) ? [] : isObject(value) ? {} : value);

const members = (...names: readonly string[]): Shape =>
  Object.fromEntries(names.map((name) => [name, keep]));

function metadata(annotations: readonly string[], labels: Mapper = () => ({})): Mapper {
  return shape(
    { ...members(...HEAD), labels, annotations: shape(members(...annotations), bare) },
    bare,
  );
}

function trimmer(head: Mapper, parts: Shape = {}): Mapper {
  return shape({ ...members('apiVersion', 'kind'), metadata: head, ...parts }, bare);
}

const TRIMMERS: Partial<Record<ResourceKind, Mapper>> = {
  Node: trimmer(metadata([...NODE_ANNOTATIONS, NODE_LABELS_ANNOTATION, METADATA_ANNOTATION], keep)),
  Pod: trimmer(metadata(POD_ANNOTATIONS, bare), {
    spec: shape(members('nodeName', 'hostNetwork'), bare),
    status: shape(
      { ...members('phase', 'podIP'), podIPs: list(shape(members('ip'), bare), bare) },
      bare,
    ),
  }),
  Service: trimmer(metadata(SERVICE_ANNOTATIONS, bare), {
    spec: shape(members('type', 'loadBalancerClass', 'loadBalancerIP'), bare),
    status: shape(members('loadBalancer'), bare),
  }),
  VirtualMachine: trimmer(metadata([], bare)),
  VirtualMachineInstance: trimmer(metadata([], bare)),
};

/**
 * An object as a snapshot holds it. Of what belongs to Kubernetes and KubeVirt only what IPAM reads is left: the rest is
 * large, and pods and machines hold secrets. What belongs to Calico stays whole, but for the record of who wrote which
 * field.
 */
export function trimObject(kind: ResourceKind, object: JsonObject): JsonObject {
  const isCalico = isProjectCalico(object['apiVersion']);
  const trim = isCalico ? undefined : TRIMMERS[kind];
  if (trim) return trim(object) as JsonObject;
  const { metadata } = object;
  if (!isObject(metadata) || !Object.hasOwn(metadata, 'managedFields')) return object;
  const { managedFields: _managedFields, ...kept } = metadata;
  return { ...object, metadata: kept };
}

function isProjectCalico(apiVersion: JsonValue | undefined): boolean {
  return typeof apiVersion === 'string' && apiVersion.includes('projectcalico.org/');
}
