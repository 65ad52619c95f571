import type { DataError } from '../../errors/data-error.ts';
import type { JsonObject, ResourceKey } from '../../ipam/model/resource.ts';
import { objectKey } from '../codec/object-form.ts';
import type { MemoryObjects } from '../memory/memory-objects.ts';
import type {
  ObjectKind,
  ObjectListing,
  ObjectOptions,
  ObjectStore,
  StoredKind,
} from '../object-store.ts';

/** What the files have to say to objects. */
export interface ObjectGround {
  /** What keeps objects of a kind from being used: two copies of one that say different things. */
  readonly contradictions: ReadonlyMap<StoredKind, DataError>;
  /** @throws {@link UnsupportedError} when the input cannot be written back. */
  readonly assertWritable: () => void;
  /** Takes down that what is in a slot has to be written. */
  readonly noteChange: (kind: ObjectKind, slot: string) => void;
}

/** Whole objects of files. Writes change them in memory, and the flush of the datastore brings them into the files. */
export class SnapshotObjects implements ObjectStore {
  readonly #memory: MemoryObjects;
  readonly #ground: ObjectGround;

  constructor(memory: MemoryObjects, ground: ObjectGround) {
    this.#memory = memory;
    this.#ground = ground;
  }

  async list(kind: ObjectKind, options?: ObjectOptions): Promise<ObjectListing> {
    this.#assertClear(kind);
    return this.#memory.list(kind, options);
  }

  async get(
    kind: ObjectKind,
    key: ResourceKey,
    options?: ObjectOptions,
  ): Promise<JsonObject | undefined> {
    this.#assertClear(kind);
    return this.#memory.get(kind, key, options);
  }

  async create(kind: ObjectKind, object: JsonObject, options?: ObjectOptions): Promise<JsonObject> {
    return this.#noting(kind, object, () => this.#memory.create(kind, object, options));
  }

  async update(kind: ObjectKind, object: JsonObject, options?: ObjectOptions): Promise<JsonObject> {
    return this.#noting(kind, object, () => this.#memory.update(kind, object, options));
  }

  async remove(kind: ObjectKind, object: JsonObject, options?: ObjectOptions): Promise<void> {
    await this.#noting(kind, object, () => this.#memory.remove(kind, object, options));
  }

  async #noting<T>(kind: ObjectKind, object: JsonObject, write: () => Promise<T>): Promise<T> {
    this.#ground.assertWritable();
    this.#assertClear(kind);
    const slot = this.#memory.slotFor(kind, objectKey(kind, object));
    const result = await write();
    this.#ground.noteChange(kind, slot);
    return result;
  }

  #assertClear(kind: ObjectKind): void {
    const contradiction = this.#ground.contradictions.get(kind);
    if (contradiction) throw contradiction;
  }
}
