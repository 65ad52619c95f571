import type { JsonObject, ResourceKey, ResourceKind } from '../ipam/model/resource.ts';

/** A kind of whole Calico objects, as the newer API group names it. */
export interface ObjectType {
  /** Plural in paths and keys, all lower case. */
  readonly plural: string;
  readonly isNamespaced: boolean;
}

/**
 * Kinds that are carried whole from one datastore to another, in the order in which a migration file lists them. IPAM's
 * own rows and ClusterInformation are not among them: those are rows of the port.
 * Source: calicoctl datastore migrate export, order of its lists; CalicoNodeStatus beside them.
 */
export const OBJECT_TYPES = {
  IPPool: { plural: 'ippools', isNamespaced: false },
  BGPPeer: { plural: 'bgppeers', isNamespaced: false },
  Tier: { plural: 'tiers', isNamespaced: false },
  GlobalNetworkPolicy: { plural: 'globalnetworkpolicies', isNamespaced: false },
  StagedGlobalNetworkPolicy: { plural: 'stagedglobalnetworkpolicies', isNamespaced: false },
  GlobalNetworkSet: { plural: 'globalnetworksets', isNamespaced: false },
  HostEndpoint: { plural: 'hostendpoints', isNamespaced: false },
  KubeControllersConfiguration: { plural: 'kubecontrollersconfigurations', isNamespaced: false },
  NetworkPolicy: { plural: 'networkpolicies', isNamespaced: true },
  StagedNetworkPolicy: { plural: 'stagednetworkpolicies', isNamespaced: true },
  StagedKubernetesNetworkPolicy: { plural: 'stagedkubernetesnetworkpolicies', isNamespaced: true },
  NetworkSet: { plural: 'networksets', isNamespaced: true },
  Node: { plural: 'nodes', isNamespaced: false },
  BGPConfiguration: { plural: 'bgpconfigurations', isNamespaced: false },
  FelixConfiguration: { plural: 'felixconfigurations', isNamespaced: false },
  IPReservation: { plural: 'ipreservations', isNamespaced: false },
  BGPFilter: { plural: 'bgpfilters', isNamespaced: false },
  CalicoNodeStatus: { plural: 'caliconodestatuses', isNamespaced: false },
} as const satisfies Record<string, ObjectType>;

/** One of {@link OBJECT_TYPES}. */
export type ObjectKind = keyof typeof OBJECT_TYPES;

/** A kind that a datastore keeps: rows of the port, whole objects, or both. */
export type StoredKind = ResourceKind | ObjectKind;

/** All kinds, in the order of a migration file. */
export const OBJECT_KINDS = Object.keys(OBJECT_TYPES) as readonly ObjectKind[];

/** How to read or write objects. */
export interface ObjectOptions {
  readonly signal?: AbortSignal | undefined;
}

/** An answer to a list of objects; `absent` as in a listing of rows. */
export interface ObjectListing {
  readonly absent?: 'not-loaded' | 'not-installed' | undefined;
  readonly objects: AsyncIterable<readonly JsonObject[]>;
}

/**
 * Whole Calico objects, for what carries data from one datastore to another. Whatever the backend, an object looks as the
 * API `projectcalico.org/v3` shows it: that `apiVersion`, the kind of {@link OBJECT_TYPES}, labels and annotations where
 * they belong, `metadata.resourceVersion` and `metadata.uid` as the backend knows them, unknown fields kept.
 *
 * A Node is Calico's node. In Kubernetes it is what the annotations of the Kubernetes node of that name say: it cannot be
 * created or removed there, and an update sets the fields that the object has and erases none.
 */
export interface ObjectStore {
  list(kind: ObjectKind, options?: ObjectOptions): Promise<ObjectListing>;
  get(kind: ObjectKind, key: ResourceKey, options?: ObjectOptions): Promise<JsonObject | undefined>;
  /**
   * Creates an object; its uid, revision and times are the backend's own.
   * @throws {@link AlreadyExistsError} when it is there, {@link NotFoundError} for a node that Kubernetes does not have.
   */
  create(kind: ObjectKind, object: JsonObject, options?: ObjectOptions): Promise<JsonObject>;
  /**
   * Writes an object under its `metadata.resourceVersion`.
   * @throws {@link ConflictError} when it changed since, {@link NotFoundError} when it is gone.
   */
  update(kind: ObjectKind, object: JsonObject, options?: ObjectOptions): Promise<JsonObject>;
  /**
   * Removes an object as it was read.
   * @throws {@link ConflictError} when it changed since, {@link NotFoundError} when it is gone.
   */
  remove(kind: ObjectKind, object: JsonObject, options?: ObjectOptions): Promise<void>;
}
