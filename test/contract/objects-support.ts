import { expect } from 'chai';
import type { ObjectKind, ObjectListing, ObjectStore } from '../../src/datastore/object-store.ts';
import {
  type JsonObject,
  type JsonValue,
  keyText,
  type ResourceKey,
} from '../../src/ipam/model/resource.ts';

/** All objects of a kind. */
export async function takeAll(objects: ObjectStore, kind: ObjectKind): Promise<JsonObject[]> {
  return drain(await objects.list(kind));
}

/** The same of a listing that is still to come. */
export async function drainOf(listing: Promise<ObjectListing>): Promise<JsonObject[]> {
  return drain(await listing);
}

/** All objects of a listing. */
export async function drain({ objects }: ObjectListing): Promise<JsonObject[]> {
  const all: JsonObject[] = [];
  for await (const batch of objects) all.push(...batch);
  return all;
}

/** An object that has to be there. */
export async function demandObject(
  objects: ObjectStore,
  kind: ObjectKind,
  name: JsonValue | undefined,
  namespace?: JsonValue,
): Promise<JsonObject> {
  const found = await objects.get(kind, keyOf(name, namespace));
  if (found === undefined) throw new Error(`no ${kind} ${keyOf(name, namespace).name}`);
  return found;
}

/** The key of a name and a namespace. */
export function keyOf(name: JsonValue | undefined, namespace: JsonValue | undefined): ResourceKey {
  const key = { name: typeof name === 'string' ? name : '' };
  return typeof namespace === 'string' ? { ...key, namespace } : key;
}

/** Metadata of an object. */
export function metadataOf({ metadata }: JsonObject): JsonObject {
  return metadata as JsonObject;
}

/** Namespace and name of an object. */
export function nameOf(object: JsonObject): string {
  const { name, namespace } = metadataOf(object);
  return keyText(keyOf(name, namespace));
}

/** Objects by name, without what a server stamps. */
export function byName(objects: readonly JsonObject[]): Map<string, JsonObject> {
  expect(new Set(objects.map(nameOf)).size).to.equal(objects.length);
  const entries = objects.map((object) => [nameOf(object), bare(object)] as const);
  return new Map(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The object without what a server stamps. */
export function bare(object: JsonObject): JsonObject {
  const {
    uid: _uid,
    resourceVersion: _revision,
    creationTimestamp: _time,
    generation: _generation,
    ...metadata
  } = metadataOf(object);
  return { ...object, metadata };
}

/** A real server adds nothing to nodes that Calico shows, but a status. */
export function withoutMachine(node: JsonObject): JsonObject {
  const { status: _status, ...rest } = node;
  return rest;
}

/** The object with some fields of its spec changed. */
export function withSpec(object: JsonObject, fields: JsonObject): JsonObject {
  return { ...object, spec: { ...(object['spec'] as JsonObject), ...fields } };
}

/** The object with some labels and annotations more. */
export function withTexts(
  object: JsonObject,
  texts: { readonly labels: JsonObject; readonly annotations: JsonObject },
): JsonObject {
  const metadata = metadataOf(object);
  const merged = Object.entries(texts).map(
    ([name, added]) => [name, { ...(metadata[name] as JsonObject | undefined), ...added }] as const,
  );
  return { ...object, metadata: { ...metadata, ...Object.fromEntries(merged) } };
}

/** What a promise is rejected with. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
}
