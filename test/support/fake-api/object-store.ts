import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../../src/support/json.ts';

/** Objects of one list, of one moment. */
export interface StoredList {
  readonly revision: number;
  readonly objects: readonly JsonObject[];
}

/** Metadata of a stored object. */
export type Metadata = JsonObject & {
  name: string;
  namespace?: string;
  resourceVersion: string;
  uid: string;
};

/** Keeps objects by collection and name, each with its own revision, in the order in which etcd lists them. */
export class ObjectStore {
  readonly #collections = new Map<string, Map<string, JsonObject>>();
  #revision = 100;

  /** Revision of the latest change. */
  get revision(): number {
    return this.#revision;
  }

  /** Objects of a collection, of one namespace or all, sorted by key. */
  list(collection: string, namespace?: string): StoredList {
    const entries = [...(this.#collections.get(collection) ?? [])];
    const inside = entries.filter(
      ([key]) => namespace === undefined || key.startsWith(`${namespace}/`),
    );
    inside.sort(([a], [b]) => (a < b ? -1 : 1));
    return { revision: this.#revision, objects: inside.map(([, object]) => object) };
  }

  get(collection: string, key: string): JsonObject | undefined {
    return this.#collections.get(collection)?.get(key);
  }

  /** Stores an object under a new revision; one without uid and creation time gets them. */
  put(collection: string, key: string, object: JsonObject): JsonObject {
    const metadata = {
      uid: randomUUID(),
      creationTimestamp: '2026-01-02T03:04:05Z',
      ...(object['metadata'] as JsonObject),
      resourceVersion: String(++this.#revision),
    };
    const stored = { ...object, metadata };
    const objects = this.#collections.get(collection) ?? new Map<string, JsonObject>();
    this.#collections.set(collection, objects.set(key, stored));
    return stored;
  }

  delete(collection: string, key: string): void {
    if (this.#collections.get(collection)?.delete(key)) this.#revision++;
  }

  clear(): void {
    this.#collections.clear();
    this.#revision++;
  }
}

/** Where an object stands in its collection. */
export function storeKey(namespace: string | undefined, name: string): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** Metadata of an object that the store gave. */
export function metadataOf(object: JsonObject): Metadata {
  return object['metadata'] as Metadata;
}
