import type { AffinityRow } from '../ipam/model/affinity.ts';
import type { BlockRow } from '../ipam/model/block.ts';
import type { ClusterInformationRow } from '../ipam/model/cluster-information.ts';
import type { HandleRow } from '../ipam/model/handle.ts';
import type { IpamConfigRow } from '../ipam/model/ipam-config.ts';
import type { PoolRow } from '../ipam/model/pool.ts';
import type { Row } from '../ipam/model/row.ts';
import type { ResourceKey, ResourceKind, Revision } from '../ipam/model/resource.ts';
import type { DefinitionStore } from './definitions.ts';
import type { ObjectStore, StoredKind } from './object-store.ts';
import type { RowKeys } from '../ipam/model/row-keys.ts';

/** Where the data comes from, for `source` of every document and for error texts. */
export interface SourceDescription {
  readonly datastore: 'kubernetes' | 'etcd' | 'snapshot' | 'memory';
  /** kubeconfig context of a live cluster. */
  readonly context?: string | undefined;
  /** Server URL of a live datastore. */
  readonly server?: string | undefined;
  /** API group in use, such as `crd.projectcalico.org/v1`. */
  readonly apiGroup?: string | undefined;
  /** File or folder of a snapshot; `-` for standard input. */
  readonly file?: string | undefined;
}

/** Real differences between backends that callers may ask about. */
export interface DatastoreCapabilities {
  /** Rows may change between two reads, so differences have to be confirmed before they are reported. */
  readonly live: boolean;
  readonly writable: boolean;
}

/** How to list. */
export interface ListOptions {
  /** Rows for which the whole object comes along; none when absent. */
  readonly keep?: ((row: Row) => boolean) | undefined;
  /** Whether objects of pods and nodes need only what a row is read from, which is cheaper to get than all of them. */
  readonly trimsWorkloads?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Of which rows revisions are listed. */
export interface RevisionOptions {
  readonly isWanted: (key: ResourceKey) => boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * An answer to a list whose response has begun.
 * `absent` is why there are no rows: `not-loaded` when the source does not know this kind at all (not the same as
 * empty), `not-installed` when the server has no such kind.
 */
export interface Listing {
  readonly absent?: 'not-loaded' | 'not-installed' | undefined;
  /** Revision of the whole list, where the backend has one; some know it only once the rows are consumed. */
  readonly revision?: Revision | undefined;
  /**
   * Batches of rows in no particular order; each row may be read once and must not be kept. A stream that was cut and
   * starts over throws {@link StreamRestart} first: rows taken so far are void.
   */
  readonly rows: AsyncIterable<readonly Row[]>;
}

/** Thrown by a row stream that was cut: drop this kind's rows and list again. */
export class StreamRestart extends Error {
  constructor(cause: unknown) {
    super('the list was cut and has to be taken again', { cause });
    this.name = 'StreamRestart';
  }
}

/** Rows that ipamctl writes. */
export type WritableRow =
  BlockRow | AffinityRow | HandleRow | IpamConfigRow | PoolRow | ClusterInformationRow;

/** How to write. */
export interface WriteOptions {
  readonly signal?: AbortSignal | undefined;
}

/** A right that writing rows or objects of a kind needs. */
export interface WriteRight {
  readonly verb: 'get' | 'create' | 'update' | 'delete';
  readonly kind: StoredKind;
}

/** A right as the server names it. */
export interface AccessRight {
  readonly verb: string;
  /** Plural of the kind. */
  readonly resource: string;
  /** Absent for core kinds. */
  readonly apiGroup?: string | undefined;
}

/** A row as it was read: what a conditional removal needs. */
export interface RowVersion {
  readonly kind: ResourceKind;
  readonly key: ResourceKey;
  readonly revision: Revision;
  /** Where the datastore has uids. */
  readonly uid?: string | undefined;
}

/**
 * Conditional writes: nothing is written without the revision that was read. What comes back carries key, revision, uid
 * and the whole object as stored.
 */
export interface Writing {
  /**
   * Creates a row. A leftover of a soft deletion in its place is removed first.
   * @throws {@link AlreadyExistsError} when the row is there.
   */
  create<R extends WritableRow>(row: R, options?: WriteOptions): Promise<R>;
  /**
   * Writes a row under the revision with which it was read. Fields, labels, annotations and finalizers of `row.object`
   * (or, without it, of the stored object) that ipamctl does not know survive.
   * @throws {@link ConflictError} when it changed since, {@link NotFoundError} when it is gone or was made anew,
   * {@link DataError} for a block that is damaged.
   */
  update<R extends WritableRow>(row: R, options?: WriteOptions): Promise<R>;
  /**
   * Removes a row as it was read.
   * @throws {@link ConflictError} when it changed since, {@link NotFoundError} when it is gone or was made anew.
   */
  remove(row: RowVersion, options?: WriteOptions): Promise<void>;
  /** Removes the empty entry by which etcd notes that a host takes part in IPAM; one that is not there is fine. */
  forgetHost?(host: string, options?: WriteOptions): Promise<void>;
  /**
   * Which of these rights the user lacks, where a backend can tell before it writes; each costs one request.
   */
  missingRights?(
    rights: readonly WriteRight[],
    options?: WriteOptions,
  ): Promise<readonly AccessRight[]>;
  /**
   * Makes the writes so far last, where a backend collects them: a snapshot rewrites its files here and nowhere else, each
   * in one step. To be called after every group of writes that should be there or not be there together, and at the end.
   * @throws {@link ConflictError} when somebody else changed a file; the writes since the last flush are then void.
   */
  flush?(): Promise<void>;
}

/** A datastore that can be written. */
export type WritableDatastore = Datastore & Writing;

/** The one port to every datastore; see CONTRIBUTING for how to add a backend. */
export interface Datastore {
  readonly capabilities: DatastoreCapabilities;
  /** Names of the rows of IPAM; a row to create has to carry the key from here. */
  readonly keys: RowKeys;
  /** Whole objects of all Calico kinds; absent where a backend has rows only. */
  readonly objects?: ObjectStore | undefined;
  /** Definitions of custom resources; absent where objects need none. */
  readonly definitions?: DefinitionStore | undefined;
  /** Where this is; cheap, no request. */
  describe(): SourceDescription;
  /** One row with its whole object, or undefined when there is none. Reading never writes. */
  get(
    kind: ResourceKind,
    key: ResourceKey,
    options?: { signal?: AbortSignal | undefined },
  ): Promise<Row | undefined>;
  /** Resolves once the response has begun. @throws {@link AccessDeniedError} with the missing right in `details.denied`. */
  list(kind: ResourceKind, options?: ListOptions): Promise<Listing>;
  /**
   * Revisions of the wanted rows of a kind as they are now, by the text of their keys; a row that is gone is not among
   * them. Absent where a backend has no list that is cheaper than the rows themselves.
   */
  revisions?(kind: ResourceKind, options: RevisionOptions): Promise<ReadonlyMap<string, Revision>>;
  /** Whether there is the empty entry by which etcd notes that a host takes part in IPAM; absent elsewhere. */
  knowsHost?(host: string, options?: { signal?: AbortSignal | undefined }): Promise<boolean>;
  /** Negative, zero or positive; undefined when the two cannot be compared. */
  compareRevisions(a: Revision, b: Revision): number | undefined;
  /**
   * A view of which every read is at one and the same revision, that of now; absent where the backend has no such reads.
   * It is closed with the datastore.
   */
  pin?(options?: { signal?: AbortSignal | undefined }): Promise<PinnedView>;
  close(): Promise<void>;
}

/** A datastore as it was at one revision; it cannot be written. */
export interface PinnedView {
  readonly datastore: Datastore;
  readonly revision: Revision;
}
