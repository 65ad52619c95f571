import type { ResourceKey, ResourceKind, Revision } from '../../ipam/model/resource.ts';
import type { Row } from '../../ipam/model/row.ts';
import type { CallSignals } from '../call-signals.ts';
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
  /** Closed by the reading half. */
  readonly signals: CallSignals;
}

/** The reading half, which can list revisions alone. */
type Reader = Datastore & Required<Pick<Datastore, 'revisions'>>;

/** One API server as a datastore: what reads, and writes beside it. */
export class WritableKubernetes implements WritableDatastore {
  readonly capabilities: DatastoreCapabilities;
  readonly keys: RowKeys = OBJECT_KEYS;
  readonly objects: KubernetesObjects;
  readonly definitions: DefinitionInstaller;
  readonly #reader: Reader;
  readonly #parts: WritingParts;
  readonly #writer: RowWriter;

  constructor(reader: Reader, parts: WritingParts) {
    this.#reader = reader;
    this.#parts = parts;
    this.#writer = new RowWriter(parts.transport, { calico: parts.group });
    this.capabilities = { ...reader.capabilities, writable: true };
    const signalOf = ({ signal }: WriteOptions) => parts.signals.of(signal);
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
    return this.#writer.create(row, this.#parts.signals.of(options.signal));
  }

  async update<R extends WritableRow>(row: R, options: WriteOptions = {}): Promise<R> {
    return this.#writer.update(row, this.#parts.signals.of(options.signal));
  }

  async remove(row: RowVersion, options: WriteOptions = {}): Promise<void> {
    await this.#writer.remove(row, this.#parts.signals.of(options.signal));
  }

  async missingRights(
    rights: readonly WriteRight[],
    options: WriteOptions = {},
  ): Promise<readonly AccessRight[]> {
    const { transport, group } = this.#parts;
    return missingRights(
      transport,
      { calico: group },
      { rights, signal: this.#parts.signals.of(options.signal) },
    );
  }

  compareRevisions(a: Revision, b: Revision): number | undefined {
    return this.#reader.compareRevisions(a, b);
  }

  close(): Promise<void> {
    return this.#reader.close();
  }
}
