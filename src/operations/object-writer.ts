import type { WritableDatastore } from '../datastore/datastore.ts';
import type { ObjectKind, ObjectStore } from '../datastore/object-store.ts';
import { ConflictError } from '../errors/conflict-error.ts';
import { UnsupportedError } from '../errors/unsupported-error.ts';
import { objectContent } from '../ipam/migration/import-equal.ts';
import { metadataOf } from '../ipam/model/object-metadata.ts';
import type { JsonObject, ResourceKey, Revision } from '../ipam/model/resource.ts';
import type { PlanAction } from '../ipam/plan.ts';
import type { OperationContext } from './context.ts';
import type { UndoEntry } from './undo/undo-log.ts';
import { isAnswerLost, type Writer } from './writer.ts';

/** Conditional writes of whole objects, each written down in the undo file before it is sent. */
export class ObjectWriter {
  readonly #context: OperationContext;
  readonly #store: ObjectStore;
  readonly #writer: Writer;

  /** @throws {@link UnsupportedError} where the datastore has rows only. */
  constructor(context: OperationContext, writer: Writer) {
    this.#context = context;
    this.#store = objectsOf(context.datastore);
    this.#writer = writer;
  }

  /** Creates an object. @throws {@link AlreadyExistsError} when it is there. */
  async create(kind: ObjectKind, object: JsonObject): Promise<void> {
    await this.#record(createEntry(kind, object), () =>
      this.#store.create(kind, object, { signal: this.#context.signal }),
    );
  }

  /**
   * Writes an object over the one that was read; of a node, what changes.
   * @throws {@link ConflictError}, {@link NotFoundError}.
   */
  async update(
    change: { readonly kind: ObjectKind; readonly before: JsonObject; readonly after: JsonObject },
    action: PlanAction,
  ): Promise<void> {
    const { kind, before, after } = change;
    const { resourceVersion } = metadataOf(before);
    const versioned = {
      ...after,
      metadata: {
        ...metadataOf(after),
        ...(resourceVersion === undefined ? {} : { resourceVersion }),
      },
    };
    const entry = { ...entryOf(kind, after, action), object: { kind, before, after: versioned } };
    await this.#record(entry, () =>
      this.#store.update(kind, versioned, { signal: this.#context.signal }),
    );
  }

  /** Removes an object as it was read. @throws {@link ConflictError}, {@link NotFoundError}. */
  async remove(kind: ObjectKind, before: JsonObject, action: PlanAction): Promise<void> {
    const entry = { ...entryOf(kind, before, action), object: { kind, before, after: undefined } };
    await this.#writer.record(entry, async () => {
      await this.#store.remove(kind, before, { signal: this.#context.signal });
      return undefined;
    });
  }

  async #record(entry: UndoEntry, send: () => Promise<JsonObject>): Promise<void> {
    await this.#writer.record(entry, async () => {
      const { resourceVersion } = metadataOf(await this.#send(entry, send));
      return {
        revision: typeof resourceVersion === 'string' ? (resourceVersion as Revision) : undefined,
      };
    });
  }

  /** When the answer is lost, what stands in the datastore tells whether the write was done. */
  async #send(entry: UndoEntry, send: () => Promise<JsonObject>): Promise<JsonObject> {
    try {
      return await send();
    } catch (error) {
      const { kind, after } = entry.object ?? {};
      const isLost = isAnswerLost(error) && !this.#context.signal.aborted;
      if (!isLost || kind === undefined || after === undefined) throw error;
      const found = await this.#store
        .get(kind, keyOf(after), { signal: this.#context.signal })
        .catch(() => {
          throw error;
        });
      if (found && objectContent(kind, found) === objectContent(kind, after)) return found;
      throw new ConflictError(`the answer to a write was lost: ${error.message}`, { cause: error });
    }
  }
}

/** What an undo file says of an object that is about to be created. */
export function createEntry(kind: ObjectKind, object: JsonObject): UndoEntry {
  return {
    ...entryOf(kind, object, 'create-object'),
    object: { kind, before: undefined, after: object },
  };
}

/** Whole objects of a datastore. @throws {@link UnsupportedError} where it has rows only. */
export function objectsOf(datastore: Pick<WritableDatastore, 'objects' | 'describe'>): ObjectStore {
  if (datastore.objects) return datastore.objects;
  throw new UnsupportedError(
    `${datastore.describe().datastore} does not hold whole Calico objects`,
    { hint: 'use a Kubernetes cluster, or a dump of one' },
  );
}

/** Name and namespace of a whole object. */
export function keyOf(object: JsonObject): ResourceKey {
  const { name, namespace } = metadataOf(object);
  const text = typeof name === 'string' ? name : '';
  return typeof namespace === 'string' && namespace !== ''
    ? { namespace, name: text }
    : { name: text };
}

function entryOf(
  kind: ObjectKind,
  object: JsonObject,
  action: PlanAction,
): Pick<UndoEntry, 'action' | 'subject' | 'before' | 'after'> {
  return { action, subject: { kind, ...keyOf(object) }, before: undefined, after: undefined };
}
