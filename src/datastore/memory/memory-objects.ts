import { DataError } from '../../errors/data-error.ts';
import { metadataOf } from '../../ipam/model/object-metadata.ts';
import {
  type JsonObject,
  keyText,
  type ResourceKey,
  type Revision,
} from '../../ipam/model/resource.ts';
import type { RowFlavor } from '../codec/encode.ts';
import { isObject } from '../codec/fields.ts';
import { objectEntryPath } from '../codec/object-entry.ts';
import { objectKey, shownObject, storedNames } from '../codec/object-form.ts';
import {
  OBJECT_TYPES,
  type ObjectKind,
  type ObjectListing,
  type ObjectOptions,
  type ObjectStore,
  type StoredKind,
} from '../object-store.ts';
import { alreadyExists, conflict, notFound } from '../row-errors.ts';
import { inBatches } from './batches.ts';
import { calicoSlot, revisionOf, type Stored } from './stored.ts';
import {
  changedObject,
  type FoundObject,
  newObject,
  refuseNewNode,
  refuseNodeRemoval,
} from './write-object.ts';

/** Where the objects are, and what stamps those that are written. */
export interface ObjectTables {
  readonly flavor: RowFlavor;
  /** Whether resources are values of etcd keys. */
  readonly areEntries: boolean;
  /** What is stored of a kind by slot; undefined when it is not loaded. */
  readonly rowsOf: (kind: StoredKind) => Map<string, Stored> | undefined;
  /** The same, loaded in any case. */
  readonly openRows: (kind: StoredKind) => Map<string, Stored>;
  readonly nextRevision: () => Revision;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly assertUsable: (signal: AbortSignal | undefined) => void;
}

/**
 * Whole objects over the very values that rows are read from. An object without resourceVersion gets one that is made of
 * its content, and it is not stored.
 */
export class MemoryObjects implements ObjectStore {
  readonly #tables: ObjectTables;

  constructor(tables: ObjectTables) {
    this.#tables = tables;
  }

  async list(kind: ObjectKind, options: ObjectOptions = {}): Promise<ObjectListing> {
    this.#tables.assertUsable(options.signal);
    const rows = this.#tables.rowsOf(kind);
    const found = [...(rows ?? [])].filter(([slot, stored]) => this.#isShown(kind, slot, stored));
    const objects = inBatches(
      found,
      ([slot, stored]) => shownStored(kind, slot, stored).shown,
      options.signal,
    );
    return rows === undefined ? { absent: 'not-loaded', objects } : { objects };
  }

  async get(
    kind: ObjectKind,
    key: ResourceKey,
    options: ObjectOptions = {},
  ): Promise<JsonObject | undefined> {
    this.#tables.assertUsable(options.signal);
    return this.#find(kind, key)?.shown;
  }

  async create(
    kind: ObjectKind,
    object: JsonObject,
    options: ObjectOptions = {},
  ): Promise<JsonObject> {
    this.#tables.assertUsable(options.signal);
    const key = writtenKey(kind, object);
    if (this.#find(kind, key)) throw alreadyExists({ kind, key });
    const { flavor, areEntries, nextRevision, now } = this.#tables;
    refuseNewNode(kind, { flavor, key });
    const slot = this.slotFor(kind, key);
    const stored = newObject(kind, object, { flavor, areEntries, slot, nextRevision, now });
    this.#tables.openRows(kind).set(slot, stored);
    return shownStored(kind, slot, stored).shown;
  }

  async update(
    kind: ObjectKind,
    object: JsonObject,
    options: ObjectOptions = {},
  ): Promise<JsonObject> {
    this.#tables.assertUsable(options.signal);
    const found = this.#current(kind, object);
    const stored = changedObject(kind, object, { found, ...this.#tables });
    this.#tables.openRows(kind).set(found.slot, stored);
    return shownStored(kind, found.slot, stored).shown;
  }

  async remove(kind: ObjectKind, object: JsonObject, options: ObjectOptions = {}): Promise<void> {
    this.#tables.assertUsable(options.signal);
    const { slot, stored } = this.#current(kind, object);
    refuseNodeRemoval(kind, stored);
    this.#tables.openRows(kind).delete(slot);
  }

  /** Where the object of this key is or would be kept. */
  slotFor(kind: ObjectKind, key: ResourceKey): string {
    const found = this.#find(kind, key);
    if (found) return found.slot;
    if (this.#tables.areEntries) return objectEntryPath(kind, key);
    return kind === 'Node' ? calicoSlot(key.name) : keyText(key);
  }

  /** The object as it is now, provided that it is the one that was read. */
  #current(kind: ObjectKind, object: JsonObject): FoundObject {
    const key = writtenKey(kind, object);
    const found = this.#find(kind, key);
    const { uid, resourceVersion } = metadataOf(object);
    const now = found && metadataOf(found.shown);
    const isAnother = uid !== undefined && now?.['uid'] !== undefined && now['uid'] !== uid;
    if (found === undefined || isAnother) throw notFound({ kind, key });
    if (now?.['resourceVersion'] !== resourceVersion) throw conflict({ kind, key });
    return found;
  }

  #find(kind: ObjectKind, key: ResourceKey): FoundObject | undefined {
    const rows = this.#tables.rowsOf(kind);
    const wanted = keyText(key);
    for (const slot of this.#slotsOf(kind, key)) {
      const stored = rows?.get(slot);
      if (stored === undefined || !this.#isShown(kind, slot, stored)) continue;
      const found = shownStored(kind, slot, stored);
      if (keyText(objectKey(kind, found.shown)) === wanted) return found;
    }
    return undefined;
  }

  #slotsOf(kind: ObjectKind, key: ResourceKey): string[] {
    const names = storedNames(kind, key.name).map((name) => keyText({ ...key, name }));
    const nodes = kind === 'Node' ? [calicoSlot(key.name)] : [];
    return [objectEntryPath(kind, key), ...nodes, ...names];
  }

  /** Calico's node stands before the Kubernetes node that is shown as one; in etcd there is no other. */
  #isShown(kind: ObjectKind, slot: string, { path, value }: Stored): boolean {
    const isKubernetes = isObject(value) && value['apiVersion'] === 'v1';
    if (kind !== 'Node' || path !== undefined || !isKubernetes) return true;
    return this.#tables.flavor !== 'etcd' && !this.#tables.rowsOf(kind)?.has(calicoSlot(slot));
  }
}

/** The object of a value, with a revision in any case. @throws {@link DataError} for a value that is none. */
function shownStored(kind: ObjectKind, slot: string, stored: Stored): FoundObject {
  const { value, path } = stored;
  if (!isObject(value)) {
    throw new DataError(`${kind} ${path ?? slot} is no object`, { details: { kind, slot } });
  }
  const shown = shownObject(kind, value);
  const metadata = { ...metadataOf(shown), resourceVersion: shownRevision(shown, stored) };
  return { slot, stored, value, shown: { ...shown, metadata } };
}

/** Dumps that were edited by hand hold numbers where texts belong. */
function shownRevision(shown: JsonObject, stored: Stored): string {
  const { resourceVersion: held } = metadataOf(shown);
  if (typeof held === 'number' || typeof held === 'bigint') return String(held);
  return typeof held === 'string' && held !== '' ? held : revisionOf(stored);
}

/** @throws {@link DataError} when the object has no name, or lacks a namespace. */
function writtenKey(kind: ObjectKind, object: JsonObject): ResourceKey {
  const key = objectKey(kind, object);
  const lacksNamespace = OBJECT_TYPES[kind].isNamespaced && key.namespace === undefined;
  if (key.name !== '' && !lacksNamespace) return key;
  const missing = key.name === '' ? 'name' : 'namespace';
  throw new DataError(`${kind} ${key.name} without ${missing} cannot be written`);
}
