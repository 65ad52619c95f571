import type { ResourceKey, ResourceKind, Revision } from '../../ipam/model/resource.ts';
import { ENTRY_KEYS } from '../../ipam/model/row-keys.ts';
import type { Row } from '../../ipam/model/row.ts';
import { hostPathOf } from '../codec/entry-path.ts';
import type { EtcdConnection } from '../connection.ts';
import type {
  DatastoreCapabilities,
  Listing,
  ListOptions,
  PinnedView,
  RowVersion,
  SourceDescription,
  WritableDatastore,
  WritableRow,
  WriteOptions,
} from '../datastore.ts';
import type { ObjectStore } from '../object-store.ts';
import { revisionText } from './entry-row.ts';
import { type EtcdClient, openEtcdClient } from './etcd-client.ts';
import { EtcdReader } from './etcd-reader.ts';
import { EtcdRowWriter } from './row-writer.ts';
import { type Stamps, SYSTEM_STAMPS } from './stamps.ts';

/** How a datastore in etcd behaves. */
export interface EtcdOptions {
  /** Entries of a page; the client's own number when absent. */
  readonly pageSize?: number | undefined;
  /** Ends everything that the connection does. */
  readonly signal?: AbortSignal | undefined;
  /** The real ones when absent. */
  readonly stamps?: Stamps | undefined;
}

/**
 * Opens etcd as a datastore. Pods, Services and machines are not in it.
 *
 * @param options.now Milliseconds since 1970, for creation times; the system's clock when absent.
 * @throws {@link ConfigError} when the configuration does not fit; {@link UnavailableError} when no endpoint answers;
 * {@link AccessDeniedError} when etcd does not accept the user.
 */
export async function openEtcdDatastore(
  connection: EtcdConnection,
  { now = SYSTEM_STAMPS.now }: { readonly now?: Stamps['now'] | undefined } = {},
): Promise<WritableDatastore> {
  const { pageSize, signal } = connection;
  const stamps = { ...SYSTEM_STAMPS, now };
  return new EtcdDatastore(await openEtcdClient(connection), { pageSize, signal, stamps });
}

/** Calico's data in etcd v3: every row an entry, every write a compare-and-swap on its mod revision. */
export class EtcdDatastore implements WritableDatastore {
  readonly capabilities: DatastoreCapabilities = { live: true, writable: true };
  readonly keys = ENTRY_KEYS;
  readonly objects: ObjectStore;
  readonly #client: EtcdClient;
  readonly #options: EtcdOptions & { readonly stamps: Stamps };
  readonly #reader: EtcdReader;
  readonly #writer: EtcdRowWriter;

  constructor(client: EtcdClient, options: EtcdOptions = {}) {
    this.#client = client;
    this.#options = { ...options, stamps: options.stamps ?? SYSTEM_STAMPS };
    this.#reader = new EtcdReader({ ...this.#options, client });
    this.#writer = new EtcdRowWriter(client, this.#options.stamps);
    this.objects = this.#reader.objects;
  }

  describe(): SourceDescription {
    return this.#reader.describe();
  }

  get(
    kind: ResourceKind,
    key: ResourceKey,
    options?: { signal?: AbortSignal | undefined },
  ): Promise<Row | undefined> {
    return this.#reader.get(kind, key, options);
  }

  list(kind: ResourceKind, options?: ListOptions): Promise<Listing> {
    return this.#reader.list(kind, options);
  }

  async create<R extends WritableRow>(row: R, options: WriteOptions = {}): Promise<R> {
    return this.#writer.create(row, this.#reader.signalOf(options.signal));
  }

  async update<R extends WritableRow>(row: R, options: WriteOptions = {}): Promise<R> {
    return this.#writer.update(row, this.#reader.signalOf(options.signal));
  }

  async remove(row: RowVersion, options: WriteOptions = {}): Promise<void> {
    await this.#writer.remove(row, this.#reader.signalOf(options.signal));
  }

  async forgetHost(host: string, options: WriteOptions = {}): Promise<void> {
    const signal = this.#reader.signalOf(options.signal);
    await this.#writer.forgetHost(hostPathOf(host), { name: host }, signal);
  }

  knowsHost(host: string, options?: { signal?: AbortSignal | undefined }): Promise<boolean> {
    return this.#reader.knowsHost(host, options);
  }

  compareRevisions(a: Revision, b: Revision): number | undefined {
    return this.#reader.compareRevisions(a, b);
  }

  async pin(options: { signal?: AbortSignal | undefined } = {}): Promise<PinnedView> {
    const signal = this.#reader.signalOf(options.signal);
    const revision = await this.#client.revision({ signal });
    const datastore = new EtcdReader({ ...this.#options, client: this.#client, revision });
    return { datastore, revision: revisionText(revision) };
  }

  async close(): Promise<void> {
    await this.#reader.close();
    this.#client.close();
  }
}
