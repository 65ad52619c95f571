import type { JsonObject, JsonValue } from '../../support/json.ts';

/**
 * Kinds of rows that ipamctl reads, by the names that its documents use. `IPAMConfig` stands for the newer group's
 * IPAMConfiguration too. `Node` is a Kubernetes node or a Calico node row; `WorkloadEndpoint` rows exist in etcd only,
 * elsewhere pods stand for them.
 */
export const RESOURCE_KINDS = [
  'ClusterInformation',
  'KubeControllersConfiguration',
  'IPAMConfig',
  'IPPool',
  'IPReservation',
  'IPAMBlock',
  'IPAMHandle',
  'BlockAffinity',
  'Node',
  'Pod',
  'WorkloadEndpoint',
  'Service',
  'VirtualMachine',
  'VirtualMachineInstance',
] as const;

/** One of {@link RESOURCE_KINDS}. */
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

declare const revisionBrand: unique symbol;

/** Opaque version of a stored row; only the backend that made it can compare it. */
export type Revision = string & { readonly [revisionBrand]: 'Revision' };

/** Where a row is stored: its own name in the datastore, and the namespace of namespaced kinds. */
export interface ResourceKey {
  readonly namespace?: string | undefined;
  readonly name: string;
}

export type { JsonObject, JsonValue };

/** What every row carries, whatever its kind. */
export interface RowHead {
  readonly key: ResourceKey;
  readonly revision?: Revision | undefined;
  readonly uid?: string | undefined;
  /** Milliseconds since 1970; absent where the datastore keeps none (etcd). */
  readonly createdAt?: number | undefined;
  /** True when the object is marked for deletion but still there. */
  readonly terminating?: boolean | undefined;
  /** The whole object, only when the reader asked to keep it. */
  readonly object?: JsonObject | undefined;
  /** The entry behind it where rows are kept as in etcd, only when the reader asked to keep it. */
  readonly entry?: StoredEntry | undefined;
}

/** A key of the etcd layout with its value; a value that is no JSON is its text. */
export interface StoredEntry {
  readonly path: string;
  readonly value: JsonValue;
}

/** A row whose identity or value cannot be read. It takes part in no rule but `unreadable-object`. */
export interface UnreadableRow extends RowHead {
  readonly kind: ResourceKind;
  /** What is wrong, as a sentence part: `spec.cidr "x" is no CIDR`. */
  readonly unreadable: string;
  /** For pods and nodes: where it runs, so that what it may carry is never called leaked. */
  readonly node?: string | undefined;
}

/** `namespace/name`, or the name alone. */
export function keyText(key: ResourceKey): string {
  return key.namespace === undefined ? key.name : `${key.namespace}/${key.name}`;
}
