import { DataError } from '../../errors/data-error.ts';
import { InternalError } from '../../errors/internal-error.ts';
import { METADATA_ANNOTATION } from '../../ipam/model/object-metadata.ts';
import { type JsonObject, keyText, type ResourceKey } from '../../ipam/model/resource.ts';
import { mergeFields, objectMember } from '../codec/encode-fields.ts';
import { entryText } from '../codec/entry-text.ts';
import { isObject } from '../codec/fields.ts';
import { objectEntryPath, objectFolder, parseObjectEntry } from '../codec/object-entry.ts';
import { objectKey, SHOWN_VERSION } from '../codec/object-form.ts';
import type { ObjectKind, ObjectListing, ObjectOptions, ObjectStore } from '../object-store.ts';
import { beginPages } from './entry-pages.ts';
import { storedValue } from './entry-row.ts';
import { EntryWriter } from './entry-writer.ts';
import type { EtcdClient, EtcdEntry } from './etcd-client.ts';
import { newResource, storedResource } from './resource-value.ts';
import type { Stamps } from './stamps.ts';

/** What the objects of one etcd need. */
export interface ObjectParts {
  readonly client: EtcdClient;
  readonly pageSize?: number | undefined;
  /** Every read is as of this revision; the newest when absent. */
  readonly revision?: bigint | undefined;
  readonly stamps: Stamps;
  /** The signal of a call together with that of the connection. @throws when the datastore is closed. */
  readonly signalOf: (signal: AbortSignal | undefined) => AbortSignal | undefined;
}

/** Policies, which keep their name once more in an annotation that readers do not see. */
const POLICIES: ReadonlySet<ObjectKind> = new Set<ObjectKind>([
  'GlobalNetworkPolicy',
  'StagedGlobalNetworkPolicy',
  'NetworkPolicy',
  'StagedNetworkPolicy',
]);

/** Whole objects of Calico in etcd, where each is the value of its own key. */
export class EtcdObjects implements ObjectStore {
  readonly #parts: ObjectParts;
  readonly #entries: EntryWriter;

  constructor(parts: ObjectParts) {
    this.#parts = parts;
    this.#entries = new EntryWriter(parts.client);
  }

  /** @throws {@link DataError} while it is consumed, for a value that is no object: nothing may be left out. */
  async list(kind: ObjectKind, options: ObjectOptions = {}): Promise<ObjectListing> {
    const signal = this.#parts.signalOf(options.signal);
    const { pages } = await beginPages({ ...this.#parts, places: [objectFolder(kind)], signal });
    return { objects: objectsOf(kind, pages) };
  }

  async get(
    kind: ObjectKind,
    key: ResourceKey,
    options: ObjectOptions = {},
  ): Promise<JsonObject | undefined> {
    const signal = this.#parts.signalOf(options.signal);
    const entry = await this.#read(objectEntryPath(kind, key), signal);
    return entry && shownEntry(kind, entry);
  }

  async create(
    kind: ObjectKind,
    object: JsonObject,
    options: ObjectOptions = {},
  ): Promise<JsonObject> {
    const value = newResource(named(kind, object), this.#parts.stamps);
    const write = { ...this.#placeOf(kind, object, options), text: entryText(value) };
    return this.#written(kind, write, await this.#entries.create(write, () => false));
  }

  async update(
    kind: ObjectKind,
    object: JsonObject,
    options: ObjectOptions = {},
  ): Promise<JsonObject> {
    const place = this.#placeOf(kind, object, options);
    const value = storedResource(await this.#withOrigin(named(kind, object), place));
    const write = { ...place, text: entryText(value), modRevision: revisionOf(kind, object) };
    return this.#written(kind, write, await this.#entries.replace(write));
  }

  async remove(kind: ObjectKind, object: JsonObject, options: ObjectOptions = {}): Promise<void> {
    const place = this.#placeOf(kind, object, options);
    await this.#entries.remove({ ...place, modRevision: revisionOf(kind, object) });
  }

  async #read(path: string, signal: AbortSignal | undefined): Promise<EtcdEntry | undefined> {
    const { client, revision } = this.#parts;
    const { entries } = await client.get(path, { revision, signal });
    return entries[0];
  }

  /** Calico refuses to update an object without uid and creation time, so those that are stored stay. */
  async #withOrigin(
    object: JsonObject,
    { path, signal }: { readonly path: string; readonly signal: AbortSignal | undefined },
  ): Promise<JsonObject> {
    const metadata = objectMember(object, 'metadata');
    if (metadata['uid'] !== undefined && metadata['creationTimestamp'] !== undefined) return object;
    const entry = await this.#read(path, signal);
    const stored = entry && storedValue(entry);
    const { uid, creationTimestamp } = objectMember(isObject(stored) ? stored : {}, 'metadata');
    return {
      ...object,
      metadata: mergeFields(metadata, {
        uid: metadata['uid'] ?? uid,
        creationTimestamp: metadata['creationTimestamp'] ?? creationTimestamp,
      }),
    };
  }

  #placeOf(kind: ObjectKind, object: JsonObject, { signal }: ObjectOptions) {
    const key = objectKey(kind, object);
    const path = objectEntryPath(kind, key);
    return { name: { kind, key }, path, signal: this.#parts.signalOf(signal) };
  }

  #written(
    kind: ObjectKind,
    { path, text }: { readonly path: string; readonly text: string },
    revision: bigint,
  ): JsonObject {
    const stamps = { modRevision: revision, createRevision: revision };
    return shownEntry(kind, { key: path, value: text, ...stamps });
  }
}

async function* objectsOf(
  kind: ObjectKind,
  pages: AsyncIterable<readonly EtcdEntry[]>,
): AsyncGenerator<readonly JsonObject[]> {
  for await (const page of pages) yield page.map((entry) => shownEntry(kind, entry));
}

/**
 * The object of an entry as the API shows it, with its mod revision.
 * @throws {@link DataError} naming the key of a value that is no object, or that another key names.
 */
function shownEntry(kind: ObjectKind, entry: EtcdEntry): JsonObject {
  const value = storedValue(entry);
  if (!isObject(value)) throw unreadable(entry, 'its value is no object');
  const metadata = objectMember(value, 'metadata');
  const place = parseObjectEntry(entry.key);
  const isSame = place !== undefined && keyText(place.key) === keyText(objectKey(kind, value));
  if (!isSame) throw unreadable(entry, 'its metadata has another name than its key');
  const { apiVersion: _version, kind: _kind, metadata: _metadata, ...rest } = value;
  return {
    apiVersion: SHOWN_VERSION,
    kind,
    metadata: mergeFields(metadata, {
      resourceVersion: String(entry.modRevision),
      annotations: POLICIES.has(kind) ? shownAnnotations(metadata) : metadata['annotations'],
    }),
    ...rest,
  };
}

function shownAnnotations(metadata: JsonObject): JsonObject | undefined {
  const { [METADATA_ANNOTATION]: _name, ...annotations } = objectMember(metadata, 'annotations');
  return Object.keys(annotations).length === 0 ? undefined : annotations;
}

/**
 * The object with kind and version as they are stored, and for policies with their name in the annotation.
 * Source: Calico libcalico-go lib/backend/etcdv3, values of policies.
 */
function named(kind: ObjectKind, object: JsonObject): JsonObject {
  const typed = { ...object, kind, apiVersion: SHOWN_VERSION };
  if (!POLICIES.has(kind)) return typed;
  const metadata = objectMember(object, 'metadata');
  const annotations = {
    ...objectMember(metadata, 'annotations'),
    [METADATA_ANNOTATION]: JSON.stringify({ name: metadata['name'] }),
  };
  return { ...typed, metadata: { ...metadata, annotations } };
}

function revisionOf(kind: ObjectKind, object: JsonObject): bigint {
  const { resourceVersion } = objectMember(object, 'metadata');
  if (typeof resourceVersion === 'string' && /^\d+$/.test(resourceVersion))
    return BigInt(resourceVersion);
  const name = keyText(objectKey(kind, object));
  throw new InternalError(`${kind} ${name} was to be written without its resourceVersion`);
}

function unreadable({ key }: EtcdEntry, problem: string): DataError {
  return new DataError(`${key} cannot be read: ${problem}`, {
    hint: 'mend or remove the entry first',
    details: { key },
  });
}
