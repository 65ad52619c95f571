import type { DataError } from '../../errors/data-error.ts';
import { InternalError } from '../../errors/internal-error.ts';
import { UnsupportedError } from '../../errors/unsupported-error.ts';
import type {
  JsonObject,
  JsonValue,
  ResourceKey,
  ResourceKind,
  Revision,
} from '../../ipam/model/resource.ts';
import type { Row } from '../../ipam/model/row.ts';
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
import type { MemoryDatastore } from '../memory/memory-datastore.ts';
import type { StoredKind } from '../object-store.ts';
import type { RowKeys } from '../../ipam/model/row-keys.ts';
import { identify, identityText } from './object-identity.ts';
import type { MigrationChanges } from './rewrite-migration.ts';
import type { RowPlaces } from './row-places.ts';
import { isObject } from './same-object.ts';
import type { SnapshotFiles } from './snapshot-files.ts';
import { SnapshotObjects } from './snapshot-objects.ts';

/** What a snapshot consists of. */
export interface SnapshotParts {
  readonly memory: MemoryDatastore;
  readonly places: RowPlaces;
  /** Absent when the input cannot be written back. */
  readonly files?: SnapshotFiles | undefined;
  /** What keeps whole objects of a kind from being used. */
  readonly contradictions: ReadonlyMap<StoredKind, DataError>;
}

interface MutableChanges extends MigrationChanges {
  readonly changed: Map<string, JsonObject | undefined>;
  readonly added: JsonObject[];
  readonly entries: Map<string, JsonValue | undefined>;
}

/**
 * Files as a datastore. Writes change the rows in memory; `flush` brings them into the files. Closing does not: what was
 * not flushed is not kept.
 */
export class SnapshotDatastore implements WritableDatastore {
  readonly capabilities: DatastoreCapabilities;
  readonly keys: RowKeys;
  readonly objects: SnapshotObjects;
  readonly #memory: MemoryDatastore;
  readonly #places: RowPlaces;
  readonly #files: SnapshotFiles | undefined;
  /** Rows that changed since the last flush, by identity. */
  readonly #changed = new Map<string, { readonly kind: StoredKind; readonly slot: string }>();
  /** Files of rows that were created or removed since the files were read. */
  readonly #homes = new Map<string, readonly string[]>();
  #flushing: Promise<void> = Promise.resolve();

  constructor({ memory, places, files, contradictions }: SnapshotParts) {
    this.#memory = memory;
    this.#places = places;
    this.#files = files;
    this.keys = memory.keys;
    this.capabilities = { live: false, writable: files !== undefined };
    this.objects = new SnapshotObjects(memory.objects, {
      contradictions,
      assertWritable: () => this.#assertWritable(),
      noteChange: (kind, slot) => this.#noteChange(kind, slot),
    });
  }

  describe(): SourceDescription {
    return this.#memory.describe();
  }

  get(
    kind: ResourceKind,
    key: ResourceKey,
    options?: { signal?: AbortSignal | undefined },
  ): Promise<Row | undefined> {
    return this.#memory.get(kind, key, options);
  }

  list(kind: ResourceKind, options?: ListOptions): Promise<Listing> {
    return this.#memory.list(kind, options);
  }

  async create<R extends WritableRow>(row: R, options?: WriteOptions): Promise<R> {
    this.#assertWritable();
    return this.#noting(row, () => this.#memory.create(row, options));
  }

  async update<R extends WritableRow>(row: R, options?: WriteOptions): Promise<R> {
    this.#assertWritable();
    return this.#noting(row, () => this.#memory.update(row, options));
  }

  async remove(row: RowVersion, options?: WriteOptions): Promise<void> {
    this.#assertWritable();
    await this.#noting(row, () => this.#memory.remove(row, options));
  }

  /** Writes every file that holds a changed row; see {@link SnapshotFiles.write}. */
  flush(): Promise<void> {
    const flushed = this.#flushing.then(() => this.#flush());
    // A failure is told to the caller; the next flush tries again.
    this.#flushing = flushed.catch(() => undefined);
    return flushed;
  }

  compareRevisions(a: Revision, b: Revision): number | undefined {
    return this.#memory.compareRevisions(a, b);
  }

  close(): Promise<void> {
    return this.#memory.close();
  }

  async #noting<T>(
    { kind, key }: { readonly kind: ResourceKind; readonly key: ResourceKey },
    write: () => Promise<T>,
  ): Promise<T> {
    const slot = this.#memory.slotFor(kind, key);
    const result = await write();
    this.#noteChange(kind, slot);
    return result;
  }

  #noteChange(kind: StoredKind, slot: string): void {
    this.#changed.set(identityText(kind, slot), { kind, slot });
  }

  async #flush(): Promise<void> {
    if (this.#files === undefined || this.#changed.size === 0) return;
    const noted = [...this.#changed];
    const changes = new Map<string, MutableChanges>();
    for (const [id, { kind, slot }] of noted) this.#addChange(changes, { id, kind, slot });
    this.#keepKinds(changes);
    await this.#files.write(changes);
    for (const [file, { changed, added }] of changes) {
      for (const [id, object] of changed) if (object === undefined) this.#homes.set(id, []);
      for (const object of added) {
        const identity = identify(object);
        if (identity) this.#homes.set(identity.id, [file]);
      }
    }
    for (const [id, row] of noted) if (this.#changed.get(id) === row) this.#changed.delete(id);
  }

  #addChange(
    changes: Map<string, MutableChanges>,
    { id, kind, slot }: { readonly id: string; readonly kind: StoredKind; readonly slot: string },
  ): void {
    const value = this.#memory.valueAt(kind, slot);
    const homes = this.#homes.get(id) ?? this.#places.homesOf(kind, slot);
    if (this.#isEntry(slot)) {
      changesOf(changes, homes[0] ?? this.#homeFor(kind)).entries.set(slot, value);
      return;
    }
    if (value !== undefined && !isObject(value)) throw new InternalError(`${id} is no object`);
    for (const file of homes) changesOf(changes, file).changed.set(id, value);
    if (homes.length > 0 || value === undefined) return;
    changesOf(changes, this.#homeFor(kind)).added.push(value);
  }

  /** A kind whose last row goes stays known as empty: an empty list of its type takes its place. */
  #keepKinds(changes: Map<string, MutableChanges>): void {
    const kinds = new Set([...this.#changed.values()].map(({ kind }) => kind));
    for (const kind of kinds) {
      if (this.#memory.countOf(kind) > 0 || this.#places.flavor === 'etcd') continue;
      const isNewer = this.#places.flavor === 'v3';
      const type = kind === 'IPAMConfig' && isNewer ? 'IPAMConfiguration' : kind;
      changesOf(changes, this.#homeFor(kind)).added.push({
        apiVersion: isNewer ? 'projectcalico.org/v3' : 'crd.projectcalico.org/v1',
        kind: `${type}List`,
        items: [],
      });
    }
  }

  #homeFor(kind: StoredKind): string {
    return this.#places.fileOf(kind) ?? this.#files?.homeFor(kind) ?? '';
  }

  /** Rows of etcd stand under their keys. */
  #isEntry(slot: string): boolean {
    return slot.startsWith('/');
  }

  #assertWritable(): void {
    if (this.#files !== undefined) return;
    const { file } = this.describe();
    const name =
      file === '-' ? 'standard input' : `${file ?? 'this input'}, which is no regular file,`;
    throw new UnsupportedError(`${name} cannot be changed`, {
      hint: 'save the dump to a file and give its name to --snapshot',
    });
  }
}

function changesOf(changes: Map<string, MutableChanges>, file: string): MutableChanges {
  let found = changes.get(file);
  if (found === undefined) {
    found = { changed: new Map(), added: [], entries: new Map() };
    changes.set(file, found);
  }
  return found;
}
