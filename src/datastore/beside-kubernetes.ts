import { UnsupportedError } from '../errors/unsupported-error.ts';
import type { ResourceKey, ResourceKind, Revision } from '../ipam/model/resource.ts';
import type { RowKeys } from '../ipam/model/row-keys.ts';
import type { Row } from '../ipam/model/row.ts';
import type {
  Datastore,
  DatastoreCapabilities,
  Listing,
  ListOptions,
  PinnedView,
  RowVersion,
  SourceDescription,
  WritableDatastore,
  WritableRow,
  WriteOptions,
} from './datastore.ts';
import type { ObjectStore } from './object-store.ts';

/** Kinds that are in Kubernetes wherever Calico keeps its own data. */
const OF_KUBERNETES: ReadonlySet<ResourceKind> = new Set<ResourceKind>([
  'Pod',
  'Service',
  'VirtualMachine',
  'VirtualMachineInstance',
]);

/**
 * Calico's data in one datastore beside the objects of a Kubernetes cluster, as one. Nodes are those of both: a Calico node
 * counts while the Kubernetes node that it refers to exists, which the state decides. Writing is Calico's datastore's.
 *
 * Revisions are those of Calico's datastore alone: those of an API server cannot be compared with them, so lists of
 * Kubernetes have none. That evidence is not older than claims is then a matter of the order of the requests, since a
 * list of either is of the moment when it is asked for.
 */
export class BesideKubernetes implements WritableDatastore {
  readonly capabilities: DatastoreCapabilities;
  readonly keys: RowKeys;
  readonly objects: ObjectStore | undefined;
  readonly #calico: WritableDatastore;
  readonly #kubernetes: Datastore;

  constructor(calico: WritableDatastore, kubernetes: Datastore) {
    this.#calico = calico;
    this.#kubernetes = kubernetes;
    this.capabilities = calico.capabilities;
    this.keys = calico.keys;
    this.objects = calico.objects;
  }

  describe(): SourceDescription {
    return this.#calico.describe();
  }

  /** A node by its name is Calico's, else the one of Kubernetes. */
  async get(
    kind: ResourceKind,
    key: ResourceKey,
    options: { signal?: AbortSignal | undefined } = {},
  ): Promise<Row | undefined> {
    if (OF_KUBERNETES.has(kind)) return this.#kubernetes.get(kind, key, options);
    const row = await this.#calico.get(kind, key, options);
    return row === undefined && kind === 'Node' ? this.#kubernetes.get(kind, key, options) : row;
  }

  async list(kind: ResourceKind, options: ListOptions = {}): Promise<Listing> {
    if (kind === 'Node') return this.#listNodes(options);
    if (!OF_KUBERNETES.has(kind)) return this.#calico.list(kind, options);
    const { absent, rows } = await this.#kubernetes.list(kind, options);
    return { absent, rows };
  }

  /**
   * Calico's nodes are asked for first: each refers to a node of Kubernetes that is older, so that the later list shows it.
   * They are consumed last, since an answer of Kubernetes that has begun must not be left waiting.
   */
  async #listNodes(options: ListOptions): Promise<Listing> {
    const ofCalico = await this.#calico.list('Node', options);
    const ofKubernetes = await this.#kubernetes.list('Node', options);
    return { rows: joined(ofKubernetes, ofCalico) };
  }

  create<R extends WritableRow>(row: R, options?: WriteOptions): Promise<R> {
    return this.#calico.create(row, options);
  }

  update<R extends WritableRow>(row: R, options?: WriteOptions): Promise<R> {
    return this.#calico.update(row, options);
  }

  remove(row: RowVersion, options?: WriteOptions): Promise<void> {
    return this.#calico.remove(row, options);
  }

  async forgetHost(host: string, options?: WriteOptions): Promise<void> {
    await this.#calico.forgetHost?.(host, options);
  }

  async knowsHost(host: string, options?: { signal?: AbortSignal | undefined }): Promise<boolean> {
    return (await this.#calico.knowsHost?.(host, options)) ?? false;
  }

  compareRevisions(a: Revision, b: Revision): number | undefined {
    return this.#calico.compareRevisions(a, b);
  }

  /** A view of Calico's datastore alone: nothing else can be read at its revision. */
  async pin(options?: { signal?: AbortSignal | undefined }): Promise<PinnedView> {
    if (this.#calico.pin === undefined)
      throw new UnsupportedError('this datastore cannot be read as it was at one revision');
    return this.#calico.pin(options);
  }

  async close(): Promise<void> {
    await Promise.all([this.#calico.close(), this.#kubernetes.close()]);
  }
}

async function* joined(...listings: readonly Listing[]): AsyncGenerator<readonly Row[]> {
  for (const { rows } of listings) yield* rows;
}
