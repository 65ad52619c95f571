import { isSameValue } from '../../../src/datastore/snapshot/same-object.ts';
import { type JsonObject, parseJson } from '../../../src/support/json.ts';
import { type Answer, jsonAnswer, refusal } from './answer.ts';
import { metadataOf, type ObjectStore, storeKey } from './object-store.ts';
import { collectionOf, type Target } from './resources.ts';

/** A request that changes something. */
export interface WriteRequest {
  readonly method: string;
  readonly target: Target;
  readonly text: string;
}

/** Core kinds whose status a create does not take. */
const BORN_WITHOUT_STATUS: ReadonlySet<string> = new Set(['Pod', 'Service']);

/** Carries out a create, replace, patch or delete the way an API server does, as far as the tests need it. */
export function writeAnswer(store: ObjectStore, request: WriteRequest): Answer {
  const { method, target } = request;
  const body = (request.text === '' ? {} : parseJson(request.text)) as JsonObject;
  if (method === 'POST') return create(store, target, body);
  if (target.name === undefined)
    return method === 'DELETE' ? deleteAll(store, target) : notFound(target);
  const existing = store.get(
    collectionOf(target.resource),
    storeKey(target.namespace, target.name),
  );
  if (method === 'PATCH') return patch(store, { target, body, existing });
  if (!existing) return notFound(target);
  return method === 'PUT'
    ? replace(store, { target, body, existing })
    : remove(store, { target, body, existing });
}

/** The refusal for what is not there. */
export function notFound({ resource, name }: Target): Answer {
  return refusal(404, {
    reason: 'NotFound',
    message: `${resource.plural} "${name ?? ''}" not found`,
  });
}

function create(store: ObjectStore, target: Target, body: JsonObject): Answer {
  const { resource, namespace } = target;
  const { name } = (body['metadata'] ?? {}) as { name?: string };
  if (name === undefined)
    return refusal(422, { reason: 'Invalid', message: 'metadata.name: required' });
  const key = storeKey(namespace, name);
  if (store.get(collectionOf(resource), key)) {
    return refusal(409, {
      reason: 'AlreadyExists',
      message: `${resource.plural} "${name}" already exists`,
    });
  }
  const { status, ...rest } = body;
  const object = BORN_WITHOUT_STATUS.has(resource.kind)
    ? rest
    : { ...rest, ...(status === undefined ? {} : { status }) };
  return jsonAnswer(store.put(collectionOf(resource), key, inNamespace(object, namespace)), 201);
}

interface Change {
  readonly target: Target;
  readonly body: JsonObject;
  readonly existing: JsonObject;
}

function replace(store: ObjectStore, change: Change): Answer {
  const { target, body, existing } = change;
  const refused = refusedReplace(change);
  if (refused) return refused;
  const { uid, creationTimestamp, resourceVersion } = metadataOf(existing);
  const metadata = {
    ...(body['metadata'] as JsonObject),
    uid,
    creationTimestamp: creationTimestamp ?? null,
  };
  const changed = target.isStatus ? withStatus(change) : { ...body, metadata };
  if (isReleased(metadata)) {
    store.delete(collectionOf(target.resource), storeKey(target.namespace, target.name ?? ''));
    return jsonAnswer(changed);
  }
  // What says the same is not written, and keeps its revision.
  const unchanged = { ...changed, metadata: { ...metadata, resourceVersion } };
  return jsonAnswer(isSameValue(unchanged, existing) ? existing : save(store, target, changed));
}

/** A write of the status leaves the rest alone, but for the labels and annotations of core kinds. */
function withStatus({ target, body, existing }: Change): JsonObject {
  const { labels = {}, annotations = {} } = (body['metadata'] ?? {}) as JsonObject;
  const metadata = { ...metadataOf(existing), labels, annotations };
  return {
    ...existing,
    ...(isCustom(target) ? {} : { metadata }),
    status: body['status'] ?? {},
  };
}

/** An object that was only kept by finalizers goes with the last of them. */
function isReleased({ deletionTimestamp, finalizers }: JsonObject): boolean {
  return (
    typeof deletionTimestamp === 'string' && !(Array.isArray(finalizers) && finalizers.length > 0)
  );
}

function refusedReplace({ target, body, existing }: Change): Answer | undefined {
  const { resourceVersion, uid } = (body['metadata'] ?? {}) as {
    resourceVersion?: string;
    uid?: string;
  };
  const stored = metadataOf(existing);
  if (resourceVersion === undefined && isCustom(target)) return withoutRevision(target);
  if (resourceVersion !== undefined && resourceVersion !== stored.resourceVersion) {
    return conflict(
      `the object has been modified; please apply your changes to the latest version`,
    );
  }
  if (uid === undefined || uid === stored.uid) return undefined;
  return conflict(`UID in precondition: ${uid}, UID in object meta: ${stored.uid}`);
}

function isCustom({ resource }: Target): boolean {
  return resource.apiVersion !== 'v1';
}

/** Custom resources are not replaced unconditionally. */
function withoutRevision({ resource, name }: Target): Answer {
  const field = 'metadata.resourceVersion';
  const answer = refusal(422, {
    reason: 'Invalid',
    message: `${resource.kind} "${name ?? ''}" is invalid: ${field}: must be specified for an update`,
  });
  const status = parseJson(answer.body.toString('utf8')) as JsonObject;
  const causes = [
    { reason: 'FieldValueInvalid', message: 'must be specified for an update', field },
  ];
  return jsonAnswer({ ...status, details: { causes } }, 422);
}

/** Merge patches, and server-side apply by a single owner, which is a merge that may create. */
function patch(
  store: ObjectStore,
  change: Omit<Change, 'existing'> & { readonly existing: JsonObject | undefined },
): Answer {
  const { target, body, existing } = change;
  if (!existing && body['apiVersion'] === undefined) return notFound(target);
  const base = existing ?? { metadata: { name: target.name ?? '' } };
  const merged = merge(base, target.isStatus ? { status: body['status'] ?? {} } : body);
  return jsonAnswer(
    save(store, target, inNamespace(merged, target.namespace)),
    existing ? 200 : 201,
  );
}

function remove(store: ObjectStore, { target, body, existing }: Change): Answer {
  const { uid, resourceVersion } = (body['preconditions'] ?? {}) as {
    uid?: string;
    resourceVersion?: string;
  };
  const stored = metadataOf(existing);
  if (uid !== undefined && uid !== stored.uid)
    return conflict(`UID in precondition: ${uid}, UID in object meta: ${stored.uid}`);
  if (resourceVersion !== undefined && resourceVersion !== stored.resourceVersion) {
    return conflict(
      `ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: ${stored.resourceVersion}`,
    );
  }
  const { finalizers } = stored;
  if (Array.isArray(finalizers) && finalizers.length > 0) {
    return jsonAnswer(
      save(
        store,
        target,
        merge(existing, { metadata: { deletionTimestamp: '2026-01-02T04:00:00Z' } }),
      ),
    );
  }
  store.delete(collectionOf(target.resource), storeKey(target.namespace, target.name ?? ''));
  return jsonAnswer({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' });
}

function deleteAll(store: ObjectStore, target: Target): Answer {
  const collection = collectionOf(target.resource);
  for (const object of store.list(collection, target.namespace).objects) {
    const { namespace, name } = metadataOf(object);
    store.delete(collection, storeKey(namespace, name));
  }
  return jsonAnswer({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' });
}

function save(store: ObjectStore, target: Target, object: JsonObject): JsonObject {
  return store.put(
    collectionOf(target.resource),
    storeKey(target.namespace, target.name ?? ''),
    object,
  );
}

function inNamespace(object: JsonObject, namespace: string | undefined): JsonObject {
  if (namespace === undefined) return object;
  return { ...object, metadata: { ...(object['metadata'] as JsonObject), namespace } };
}

function conflict(message: string): Answer {
  return refusal(409, { reason: 'Conflict', message });
}

function merge(base: JsonObject, change: JsonObject): JsonObject {
  const merged = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(change)) {
    if (value === null) merged.delete(key);
    else if (typeof value === 'object' && !Array.isArray(value))
      merged.set(key, merge((merged.get(key) ?? {}) as JsonObject, value));
    else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}
