import { InternalError } from '../../errors/internal-error.ts';
import type { ResourceKey } from '../../ipam/model/resource.ts';
import {
  OBJECT_TYPES,
  type ObjectKind,
  type ObjectType,
  type StoredKind,
} from '../object-store.ts';

/** The two API groups in which Calico's custom resources may live. */
export type CalicoGroup = 'crd.projectcalico.org/v1' | 'projectcalico.org/v3';

/** Both groups, the older one first. */
export const CALICO_GROUPS = ['crd.projectcalico.org/v1', 'projectcalico.org/v3'] as const;

/** Group and version of KubeVirt's machines where discovery names none. */
const KUBEVIRT_GROUP_VERSION = 'kubevirt.io/v1';

/** Name of the one object of a kind of which Calico reads no other. */
const SINGLETON_NAME = 'default';

/** Which group and version serve the kinds of which a cluster has a choice. */
export interface GroupChoice {
  readonly calico: CalicoGroup;
  /** Such as `kubevirt.io/v1`. */
  readonly kubevirt?: string | undefined;
}

/** Where a kind is served. */
export interface KindPath {
  /** URL path up to the group's version, without a final slash. */
  readonly base: string;
  /** Plural, in lower case. */
  readonly resource: string;
  /** Group without version, empty for core kinds; as RBAC names it. */
  readonly apiGroup: string;
  readonly namespaced: boolean;
  /** Name of the only object that counts; it is then read by name, which needs the right to `get` alone. */
  readonly only?: string | undefined;
  /** Whether the server offers the kind as protobuf. */
  readonly protobuf: boolean;
}

/** Plurals of kinds that are rows only. */
const CALICO_RESOURCES: Partial<Record<StoredKind, string>> = {
  ClusterInformation: 'clusterinformations',
  IPAMBlock: 'ipamblocks',
  IPAMHandle: 'ipamhandles',
  BlockAffinity: 'blockaffinities',
};

const SINGLETONS: ReadonlySet<StoredKind> = new Set([
  'ClusterInformation',
  'KubeControllersConfiguration',
  'IPAMConfig',
]);

/**
 * Where the kind is served; undefined for a kind that Kubernetes does not have.
 *
 * Source: Calico custom resource definitions, `spec.names` of both groups.
 */
export function kindPath(kind: StoredKind, choice: GroupChoice): KindPath | undefined {
  if (kind === 'WorkloadEndpoint') return undefined;
  if (kind === 'Node') return corePath('nodes', { namespaced: false, protobuf: true });
  if (kind === 'Pod') return corePath('pods', { namespaced: true, protobuf: true });
  if (kind === 'Service') return corePath('services', { namespaced: true, protobuf: false });
  if (kind === 'VirtualMachine') return machinePath('virtualmachines', choice);
  if (kind === 'VirtualMachineInstance') return machinePath('virtualmachineinstances', choice);
  return calicoPath(kind, choice.calico);
}

/** Where whole objects of a kind are served; Calico's nodes are those of Kubernetes, and every name counts. */
export function objectKindPath(kind: ObjectKind, group: CalicoGroup): KindPath {
  return kind === 'Node'
    ? corePath('nodes', { namespaced: false, protobuf: false })
    : { ...calicoPath(kind, group), only: undefined };
}

/** URL path of all objects of the kind, over all namespaces. */
export function collectionPath(path: KindPath): string {
  return `${path.base}/${path.resource}`;
}

/** URL path of the objects of a namespace, where new ones go; of all of them for kinds without namespaces. */
export function namespacePath(path: KindPath, namespace: string | undefined): string {
  if (namespace === undefined) return collectionPath(path);
  return `${path.base}/namespaces/${encodeURIComponent(namespace)}/${path.resource}`;
}

/** URL path of one object. */
export function objectPath(path: KindPath, key: ResourceKey): string {
  const name = encodeURIComponent(key.name);
  if (!path.namespaced) return `${path.base}/${path.resource}/${name}`;
  if (key.namespace === undefined)
    throw new InternalError(`${path.resource} "${key.name}" needs a namespace`);
  return `${path.base}/namespaces/${encodeURIComponent(key.namespace)}/${path.resource}/${name}`;
}

function corePath(resource: string, traits: Pick<KindPath, 'namespaced' | 'protobuf'>): KindPath {
  return { base: '/api/v1', resource, apiGroup: '', ...traits };
}

function machinePath(resource: string, choice: GroupChoice): KindPath {
  const groupVersion = choice.kubevirt ?? KUBEVIRT_GROUP_VERSION;
  return {
    base: `/apis/${groupVersion}`,
    resource,
    apiGroup: 'kubevirt.io',
    namespaced: true,
    protobuf: false,
  };
}

function calicoPath(kind: StoredKind, group: CalicoGroup): KindPath {
  return {
    base: `/apis/${group}`,
    resource: calicoResource(kind, group),
    apiGroup: group.slice(0, group.indexOf('/')),
    namespaced: objectTypeOf(kind)?.isNamespaced ?? false,
    only: SINGLETONS.has(kind) ? SINGLETON_NAME : undefined,
    protobuf: false,
  };
}

function objectTypeOf(kind: StoredKind): ObjectType | undefined {
  return Object.hasOwn(OBJECT_TYPES, kind) ? OBJECT_TYPES[kind as ObjectKind] : undefined;
}

function calicoResource(kind: StoredKind, group: CalicoGroup): string {
  // The only kind with two names.
  if (kind === 'IPAMConfig')
    return group === 'projectcalico.org/v3' ? 'ipamconfigurations' : 'ipamconfigs';
  const resource = objectTypeOf(kind)?.plural ?? CALICO_RESOURCES[kind];
  if (resource === undefined) throw new InternalError(`${kind} is no kind of Calico`);
  return resource;
}
