import { InternalError } from '../../errors/internal-error.ts';
import {
  keyText,
  type JsonObject,
  type JsonValue,
  type ResourceKey,
  type ResourceKind,
  type Revision,
} from '../../ipam/model/resource.ts';
import type { Row } from '../../ipam/model/row.ts';
import { decodeEntry } from '../codec/decode.ts';
import type { RowFlavor } from '../codec/encode.ts';
import { objectMember } from '../codec/encode-fields.ts';
import { entryPathOf } from '../codec/entry-path.ts';
import { parseObjectEntry } from '../codec/object-entry.ts';
import { isObjectKind } from '../codec/object-form.ts';
import type {
  DatastoreCapabilities,
  Listing,
  ListOptions,
  RowVersion,
  SourceDescription,
  WritableDatastore,
  WritableRow,
  WriteOptions,
} from '../datastore.ts';
import type { StoredKind } from '../object-store.ts';
import { ENTRY_KEYS, OBJECT_KEYS, type RowKeys } from '../../ipam/model/row-keys.ts';
import { inBatches } from './batches.ts';
import { MemoryObjects } from './memory-objects.ts';
import {
  calicoSlot,
  decodeStored,
  decodeWhole,
  findEntry,
  slotOf,
  type Stored,
  withObject,
} from './stored.ts';
import { createStored, removeStored, updateStored } from './write-stored.ts';

const DECIMAL = /^\d+$/;

/** How a memory datastore behaves. */
export interface MemoryOptions {
  /** How rows that are created look; the older group's objects unless said otherwise. */
  readonly flavor?: RowFlavor | undefined;
  /** With the `etcd` flavor: whether resources such as pools are kept as objects all the same, as in a migration file. */
  readonly hasResourceObjects?: boolean | undefined;
  /** Milliseconds since 1970, for creation times. */
  readonly now?: (() => number) | undefined;
}

/** A stored value with its kind. */
export interface StoredObject {
  readonly kind: StoredKind;
  /** Its key, where rows are kept as in etcd. */
  readonly path?: string | undefined;
  readonly value: JsonValue;
}

/**
 * Keeps whole objects in memory and decodes them when they are listed: for tests, dry runs and as base of the snapshot.
 * A kind that was neither put nor declared is not loaded, which is not the same as empty. Revisions of writes are
 * increasing decimal numbers above every one that was put.
 */
export class MemoryDatastore implements WritableDatastore {
  readonly capabilities: DatastoreCapabilities = { live: false, writable: true };
  readonly keys: RowKeys;
  readonly objects: MemoryObjects;
  readonly #source: SourceDescription;
  readonly #flavor: RowFlavor;
  readonly #hasResourceObjects: boolean;
  readonly #now: () => number;
  readonly #kinds = new Map<StoredKind, Map<string, Stored>>();
  readonly #notInstalled = new Set<StoredKind>();
  #revision = 0n;
  #isClosed = false;

  constructor(source: SourceDescription = { datastore: 'memory' }, options: MemoryOptions = {}) {
    this.#source = source;
    this.#flavor = options.flavor ?? 'crd';
    this.#hasResourceObjects = options.hasResourceObjects ?? false;
    this.#now = options.now ?? Date.now;
    this.keys = this.#flavor === 'etcd' ? ENTRY_KEYS : OBJECT_KEYS;
    this.objects = new MemoryObjects({
      flavor: this.#flavor,
      areEntries: this.#flavor === 'etcd' && !this.#hasResourceObjects,
      rowsOf: (kind) => this.#kinds.get(kind),
      openRows: (kind) => this.#rowsOf(kind),
      nextRevision: () => this.#nextRevision(),
      now: this.#now,
      assertUsable: (signal) => this.#assertUsable(signal),
    });
  }

  /** Stores an object, in place of an earlier one of the same kind, namespace and name. */
  put(kind: StoredKind, object: JsonObject): void {
    const rows = this.#rowsOf(kind);
    // An object without a name is damage that has to be reported, so it must not displace another one.
    rows.set(slotOf(kind, object) ?? `#${rows.size}`, { value: object });
    this.#noteRevision(object);
  }

  /**
   * Stores the value of an etcd-style path, as a migration file holds it.
   *
   * @returns its kind, or undefined when the path is none that ipamctl reads.
   */
  putEntry(path: string, value: JsonValue): StoredKind | undefined {
    const kind = decodeEntry(path, value)?.kind ?? parseObjectEntry(path)?.kind;
    if (kind !== undefined) this.#rowsOf(kind).set(path, { value, path });
    return kind;
  }

  /** Takes an object or, with a path, an entry away; whatever its revision. */
  drop(kind: StoredKind, slotOrPath: string): void {
    this.#kinds.get(kind)?.delete(slotOrPath);
  }

  /** Makes a kind loaded even if it has no object. */
  declare(kind: StoredKind): void {
    this.#rowsOf(kind);
  }

  /** Says of a kind that the server has none such, as long as no object of it is there. */
  declareNotInstalled(kind: StoredKind): void {
    this.#notInstalled.add(kind);
  }

  /** Where a row of this kind and key is or would be kept. */
  slotFor(kind: ResourceKind, key: ResourceKey): string {
    return this.#slot(kind, key);
  }

  /** What is stored in a slot. */
  valueAt(kind: StoredKind, slot: string): JsonValue | undefined {
    return this.#kinds.get(kind)?.get(slot)?.value;
  }

  /** Number of rows of a kind. */
  countOf(kind: StoredKind): number {
    return this.#kinds.get(kind)?.size ?? 0;
  }

  /** Everything that is stored, as it is stored, to be compared or written out. */
  storedObjects(): StoredObject[] {
    return [...this.#kinds].flatMap(([kind, rows]) =>
      [...rows.values()].map(({ value, path }) => ({ kind, path, value })),
    );
  }

  describe(): SourceDescription {
    return this.#source;
  }

  async get(
    kind: ResourceKind,
    key: ResourceKey,
    options: { signal?: AbortSignal | undefined } = {},
  ): Promise<Row | undefined> {
    this.#assertUsable(options.signal);
    const rows = this.#kinds.get(kind);
    if (rows === undefined) return undefined;
    const stored = rows.get(this.#slot(kind, key)) ?? rows.get(calicoSlot(keyText(key)));
    return stored === undefined ? findEntry(kind, rows, key) : decodeWhole(kind, stored);
  }

  async list(kind: ResourceKind, options: ListOptions = {}): Promise<Listing> {
    this.#assertUsable(options.signal);
    const rows = this.#kinds.get(kind);
    const decode = (stored: Stored): Row | undefined => {
      const row = decodeStored(kind, stored);
      return row !== undefined && options.keep?.(row) === true ? withObject(row, stored) : row;
    };
    const listed = inBatches([...(rows?.values() ?? [])], decode, options.signal);
    if (rows !== undefined) return { rows: listed };
    return { absent: this.#notInstalled.has(kind) ? 'not-installed' : 'not-loaded', rows: listed };
  }

  async create<R extends WritableRow>(row: R, options: WriteOptions = {}): Promise<R> {
    this.#assertUsable(options.signal);
    return createStored(this.#table(row.kind, row.key), row);
  }

  async update<R extends WritableRow>(row: R, options: WriteOptions = {}): Promise<R> {
    this.#assertUsable(options.signal);
    return updateStored(this.#table(row.kind, row.key), row);
  }

  async remove(row: RowVersion, options: WriteOptions = {}): Promise<void> {
    this.#assertUsable(options.signal);
    removeStored(this.#table(row.kind, row.key), row);
  }

  compareRevisions(a: Revision, b: Revision): number | undefined {
    if (a === b) return 0;
    if (!DECIMAL.test(a) || !DECIMAL.test(b)) return undefined;
    return BigInt(a) < BigInt(b) ? -1 : Number(BigInt(a) > BigInt(b));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  #table(kind: ResourceKind, key: ResourceKey) {
    return {
      rows: this.#rowsOf(kind),
      slot: this.#slot(kind, key),
      flavor: this.#flavor,
      nextRevision: () => this.#nextRevision(),
      now: this.#now,
    };
  }

  #slot(kind: ResourceKind, key: ResourceKey): string {
    const isResource = kind === 'ClusterInformation' || isObjectKind(kind);
    const isObject = this.#flavor !== 'etcd' || (this.#hasResourceObjects && isResource);
    return (isObject ? undefined : entryPathOf(kind, key)) ?? keyText(key);
  }

  #rowsOf(kind: StoredKind): Map<string, Stored> {
    let rows = this.#kinds.get(kind);
    if (rows === undefined) this.#kinds.set(kind, (rows = new Map<string, Stored>()));
    return rows;
  }

  #nextRevision(): Revision {
    return String(++this.#revision) as Revision;
  }

  #noteRevision(object: JsonObject): void {
    const { resourceVersion } = objectMember(object, 'metadata');
    const text = typeof resourceVersion === 'string' ? resourceVersion : '';
    if (!DECIMAL.test(text)) return;
    const revision = BigInt(text);
    if (revision > this.#revision) this.#revision = revision;
  }

  #assertUsable(signal: AbortSignal | undefined): void {
    signal?.throwIfAborted();
    if (this.#isClosed) throw new InternalError('the datastore was used after it had been closed');
  }
}
