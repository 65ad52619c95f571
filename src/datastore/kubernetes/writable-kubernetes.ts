import { InternalError } from '../../errors/internal-error.ts';
import type { ResourceKey, ResourceKind, Revision } from '../../ipam/model/resource.ts';
import type { Row } from '../../ipam/model/row.ts';
import type {
  AccessRight,
  Datastore,
  DatastoreCapabilities,
  Listing,
  ListOptions,
  RevisionOptions,
  RowVersion,
  SourceDescription,
  WritableDatastore,
  WritableRow,
  WriteOptions,
  WriteRight,
} from '../datastore.ts';
import { OBJECT_KEYS, type RowKeys } from '../../ipam/model/row-keys.ts';
import { missingRights } from './access-review.ts';
import { DefinitionInstaller } from './definition-installer.ts';
import type { KindLister } from './kind-lister.ts';
import { KubernetesObjects } from './object-store.ts';
import type { CalicoGroup } from './paths.ts';
import { RowWriter } from './row-writer.ts';
import type { Transport } from './transport.ts';

/** What writing needs beside the reading half. */
export interface WritingParts {
  readonly transport: Transport;
  readonly group: CalicoGroup;
  readonly lister: KindLister;
  /** Ends everything that the connection does. */
  readonly signal?: AbortSignal | undefined;
}

/** One API server as a datastore: what reads, and writes beside it. */
export class WritableKubernetes implements WritableDatastore {
  readonly capabilities: DatastoreCapabilities;
  readonly keys: RowKeys = OBJECT_KEYS;
  readonly objects: KubernetesObjects;
  readonly definitions: DefinitionInstaller;
  readonly #reader: Datastore & Required<Pick<Datastore, 'revisions'>>;
  readonly #parts: WritingParts;
  readonly #writer: RowWriter;
  /** Signals of calls, each joined with that of the connection once: a run has one signal and many calls. */
  readonly #joined = new WeakMap<AbortSignal, AbortSignal>();
  #isClosed = false;

  constructor(reader: Datastore & Required<Pick<Datastore, 'revisions'>>, parts: WritingParts) {
    this.#reader = reader;
    this.#parts = parts;
    this.#writer = new RowWriter(parts.transport, { calico: parts.group });
    this.capabilities = { ...reader.capabilities, writable: true };
    const signalOf = (options: WriteOptions): AbortSignal | undefined => this.#signal(options);
    this.objects = new KubernetesObjects({ ...parts, signalOf });
    this.definitions = new DefinitionInstaller({ ...parts, signalOf });
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

  revisions(kind: ResourceKind, options: RevisionOptions): Promise<ReadonlyMap<string, Revision>> {
    return this.#reader.revisions(kind, options);
  }

  async create<R extends WritableRow>(row: R, options: WriteOptions = {}): Promise<R> {
    return this.#writer.create(row, this.#signal(options));
  }

  async update<R extends WritableRow>(row: R, options: WriteOptions = {}): Promise<R> {
    return this.#writer.update(row, this.#signal(options));
  }

  async remove(row: RowVersion, options: WriteOptions = {}): Promise<void> {
    await this.#writer.remove(row, this.#signal(options));
  }

  async missingRights(
    rights: readonly WriteRight[],
    options: WriteOptions = {},
  ): Promise<readonly AccessRight[]> {
    const { transport, group } = this.#parts;
    return missingRights(transport, { calico: group }, { rights, signal: this.#signal(options) });
  }

  compareRevisions(a: Revision, b: Revision): number | undefined {
    return this.#reader.compareRevisions(a, b);
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.#reader.close();
  }

  /** The signal of this call together with that of the connection. */
  #signal({ signal }: WriteOptions): AbortSignal | undefined {
    if (this.#isClosed) throw new InternalError('the datastore was used after it had been closed');
    const joined = this.#join(signal);
    joined?.throwIfAborted();
    return joined;
  }

  #join(signal: AbortSignal | undefined): AbortSignal | undefined {
    const own = this.#parts.signal;
    if (signal === undefined || own === undefined || signal === own) return signal ?? own;
    const known = this.#joined.get(signal);
    if (known) return known;
    const joined = AbortSignal.any([own, signal]);
    this.#joined.set(signal, joined);
    return joined;
  }
}
