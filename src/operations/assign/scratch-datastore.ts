import type {
  DatastoreCapabilities,
  Listing,
  ListOptions,
  RowVersion,
  SourceDescription,
  WritableDatastore,
  WritableRow,
} from '../../datastore/datastore.ts';
import { AlreadyExistsError } from '../../errors/already-exists-error.ts';
import {
  type ResourceKey,
  type ResourceKind,
  type Revision,
  keyText,
} from '../../ipam/model/resource.ts';
import type { Row } from '../../ipam/model/row.ts';

/**
 * Takes writes and keeps them to itself, over a datastore that is only read: what the engine would do can be rehearsed on
 * it. Nobody else writes here, so no revision is compared.
 */
export class ScratchDatastore implements WritableDatastore {
  readonly capabilities: DatastoreCapabilities;
  readonly keys: WritableDatastore['keys'];
  readonly #base: WritableDatastore;
  /** Undefined for rows that were removed. */
  readonly #written = new Map<string, Row | undefined>();
  #revision = 0;

  constructor(base: WritableDatastore) {
    this.#base = base;
    this.capabilities = { ...base.capabilities, writable: true };
    this.keys = base.keys;
  }

  describe(): SourceDescription {
    return this.#base.describe();
  }

  async get(kind: ResourceKind, key: ResourceKey, options?: ListOptions): Promise<Row | undefined> {
    const slot = slotOf(kind, key);
    return this.#written.has(slot) ? this.#written.get(slot) : this.#base.get(kind, key, options);
  }

  async list(kind: ResourceKind, options?: ListOptions): Promise<Listing> {
    const listing = await this.#base.list(kind, options);
    return { ...listing, rows: this.#overlaid(kind, listing.rows) };
  }

  async create<R extends WritableRow>(row: R): Promise<R> {
    const stored = await this.get(row.kind, row.key);
    const isLeftover = stored !== undefined && 'deleted' in stored && stored.deleted;
    if (stored !== undefined && !isLeftover)
      throw new AlreadyExistsError(`${row.kind} ${keyText(row.key)} exists already`);
    return this.update(row);
  }

  async update<R extends WritableRow>(row: R): Promise<R> {
    const stored = { ...row, revision: `rehearsed-${++this.#revision}` as Revision };
    this.#written.set(slotOf(row.kind, row.key), stored);
    return Promise.resolve(stored);
  }

  async remove({ kind, key }: RowVersion): Promise<void> {
    this.#written.set(slotOf(kind, key), undefined);
    return Promise.resolve();
  }

  compareRevisions(a: Revision, b: Revision): number | undefined {
    return this.#base.compareRevisions(a, b);
  }

  /** Nothing is to be closed: the datastore below belongs to somebody else. */
  async close(): Promise<void> {
    return Promise.resolve();
  }

  async *#overlaid(
    kind: ResourceKind,
    batches: AsyncIterable<readonly Row[]>,
  ): AsyncIterable<readonly Row[]> {
    for await (const batch of batches)
      yield batch.filter((row) => !this.#written.has(slotOf(row.kind, row.key)));
    const own = [...this.#written.values()].filter((row) => row?.kind === kind);
    yield own as readonly Row[];
  }
}

function slotOf(kind: ResourceKind, key: ResourceKey): string {
  return `${kind} ${keyText(key)}`;
}
