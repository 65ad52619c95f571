import { InternalError } from '../../errors/internal-error.ts';
import { metadataOf } from '../../ipam/model/object-metadata.ts';
import { type JsonObject, keyText, type ResourceKey } from '../../ipam/model/resource.ts';
import { withoutManagedFields, withoutServerFields } from '../codec/encode-metadata.ts';
import {
  type ObjectFlavor,
  objectKey,
  shownObject,
  storedNames,
  storedObject,
} from '../codec/object-form.ts';
import { isSameWritten } from '../codec/same-written.ts';
import type { ObjectKind } from '../object-store.ts';
import { type CalicoGroup, namespacePath, objectKindPath, objectPath } from './paths.ts';
import { readJson } from './read-json.ts';
import { sendWrite, type WriteOutcome, writeRequest } from './send-write.ts';
import type { ApiRequest, Transport } from './transport.ts';
import { alreadyExists, conflict, notFound } from '../row-errors.ts';

type Signal = AbortSignal | undefined;

/** An object as it is stored and as it is shown. */
export interface FoundObject {
  readonly stored: JsonObject;
  readonly shown: JsonObject;
}

/** An object that is to be written. */
export interface ObjectTarget {
  readonly kind: ObjectKind;
  readonly object: JsonObject;
  readonly signal: Signal;
}

/**
 * Writes custom resources of Calico as whole objects, each under a condition: a create under that of its name, all else
 * under the resourceVersion and uid that were read.
 */
export class ObjectWriter {
  readonly #transport: Transport;
  readonly #group: CalicoGroup;

  constructor(transport: Transport, group: CalicoGroup) {
    this.#transport = transport;
    this.#group = group;
  }

  /** The object that is shown under this key, under whichever name it is stored. */
  async find(kind: ObjectKind, key: ResourceKey, signal: Signal): Promise<FoundObject | undefined> {
    for (const name of this.#namesOf(kind, key)) {
      const path = objectPath(objectKindPath(kind, this.#group), { ...key, name });
      const stored = await readJson(this.#transport, { path, signal });
      const shown = stored && shownObject(kind, stored);
      if (stored && shown && keyText(objectKey(kind, shown)) === keyText(key)) {
        return { stored, shown };
      }
    }
    return undefined;
  }

  /** @throws {@link AlreadyExistsError} */
  async create({ kind, object, signal }: ObjectTarget): Promise<JsonObject> {
    const row = { kind, key: objectKey(kind, object) };
    const isNamed = this.#namesOf(kind, row.key).length > 1;
    if (isNamed && (await this.find(kind, row.key, signal))) throw alreadyExists(row);
    const body = storedObject(kind, withoutServerFields(object), { flavor: this.#flavor });
    const path = namespacePath(objectKindPath(kind, this.#group), row.key.namespace);
    const outcome = await this.#send(kind, object, writeRequest('POST', path, { body, signal }));
    if ('object' in outcome) return shownObject(kind, outcome.object);
    if (!outcome.isDoubtful) throw outcome.error;
    const found = await this.find(kind, row.key, signal);
    if (found && isSameWritten(found.stored, body)) return found.shown;
    throw found ? alreadyExists(row) : outcome.error;
  }

  /** @throws {@link ConflictError} @throws {@link NotFoundError} */
  async update({ kind, object, signal }: ObjectTarget): Promise<JsonObject> {
    const key = objectKey(kind, object);
    assertRevision(kind, object);
    const base = this.#flavor === 'v3' ? undefined : await this.#current({ kind, object, signal });
    const body = withoutManagedFields(storedObject(kind, object, { flavor: this.#flavor, base }));
    const name = metadataOf(body)['name'] as string;
    const path = objectPath(objectKindPath(kind, this.#group), { ...key, name });
    const outcome = await this.#send(kind, object, writeRequest('PUT', path, { body, signal }));
    if ('object' in outcome) return shownObject(kind, outcome.object);
    if (!outcome.isDoubtful) throw outcome.error;
    const found = await this.find(kind, key, signal);
    if (found && isSameWritten(found.stored, body)) return found.shown;
    throw found ? afterDoubt({ kind, key }, { object, found, outcome }) : notFound({ kind, key });
  }

  /** @throws {@link ConflictError} @throws {@link NotFoundError} */
  async remove({ kind, object, signal }: ObjectTarget): Promise<void> {
    const key = objectKey(kind, object);
    assertRevision(kind, object);
    const isNamed = this.#namesOf(kind, key).length > 1;
    const stored = isNamed ? await this.#current({ kind, object, signal }) : object;
    const { uid, resourceVersion } = metadataOf(object);
    const preconditions = { ...(uid === undefined ? {} : { uid }), resourceVersion };
    const body = { kind: 'DeleteOptions', apiVersion: 'v1', preconditions } as JsonObject;
    const name = metadataOf(stored)['name'] as string;
    const path = objectPath(objectKindPath(kind, this.#group), { ...key, name });
    const outcome = await this.#send(kind, object, writeRequest('DELETE', path, { body, signal }));
    if ('object' in outcome) return;
    if (!outcome.isDoubtful) throw outcome.error;
    const found = await this.find(kind, key, signal);
    if (!found || (uid !== undefined && metadataOf(found.shown)['uid'] !== uid)) return;
    throw afterDoubt({ kind, key }, { object, found, outcome });
  }

  get #flavor(): ObjectFlavor {
    return this.#group === 'projectcalico.org/v3' ? 'v3' : 'crd';
  }

  /** In the newer group every object has its own name. */
  #namesOf(kind: ObjectKind, key: ResourceKey): readonly string[] {
    return this.#flavor === 'v3' ? [key.name] : storedNames(kind, key.name);
  }

  /** What is stored of the object that was read. */
  async #current({ kind, object, signal }: ObjectTarget): Promise<JsonObject> {
    const key = objectKey(kind, object);
    const found = await this.find(kind, key, signal);
    if (!found || isAnother(object, found.shown)) throw notFound({ kind, key });
    if (!isSameRevision(object, found.shown)) throw conflict({ kind, key });
    return found.stored;
  }

  #send(kind: ObjectKind, object: JsonObject, request: ApiRequest): Promise<WriteOutcome> {
    const row = { kind, key: objectKey(kind, object) };
    return sendWrite({ transport: this.#transport, request, row });
  }
}

/** Whether another object took the name since this one was read. */
export function isAnother(object: JsonObject, found: JsonObject): boolean {
  const { uid } = metadataOf(object);
  return uid !== undefined && metadataOf(found)['uid'] !== uid;
}

/** Whether an object is still as it was read. */
export function isSameRevision(object: JsonObject, found: JsonObject): boolean {
  return metadataOf(object)['resourceVersion'] === metadataOf(found)['resourceVersion'];
}

/** @throws {@link InternalError} for an object that was not read first. */
export function assertRevision(kind: ObjectKind, object: JsonObject): void {
  if (metadataOf(object)['resourceVersion'] !== undefined) return;
  const text = keyText(objectKey(kind, object));
  throw new InternalError(`${kind} ${text} was to be written without its revision`);
}

interface Doubt {
  readonly object: JsonObject;
  readonly found: FoundObject;
  readonly outcome: Extract<WriteOutcome, { isDoubtful: boolean }>;
}

/** The object was read after an answer got lost, and it is not what was to be written. */
function afterDoubt(
  row: { readonly kind: ObjectKind; readonly key: ResourceKey },
  { object, found, outcome }: Doubt,
): Error {
  return isSameRevision(object, found.shown) ? outcome.error : conflict(row);
}
