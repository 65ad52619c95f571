import { StreamRestart } from '../../datastore/datastore.ts';
import { OBJECT_KINDS, type ObjectKind, type ObjectStore } from '../../datastore/object-store.ts';
import { UnavailableError } from '../../errors/unavailable-error.ts';
import { type JsonObject, keyText, type ResourceKind } from '../../ipam/model/resource.ts';
import type { Row } from '../../ipam/model/row.ts';
import type { OperationContext } from '../context.ts';
import { Denials } from '../denials.ts';
import { LIST_ATTEMPTS } from '../load-rows.ts';
import { keyOf, objectsOf } from '../object-writer.ts';
import { readKinds } from '../read-kinds.ts';
import { ROW_KINDS, type RowKind } from './file-contents.ts';

/** What the target holds of all that an import writes. */
export interface Target {
  /** Rows by kind and name. */
  readonly rows: ReadonlyMap<RowKind, ReadonlyMap<string, Row>>;
  /** Whole objects by kind and name. */
  readonly objects: ReadonlyMap<ObjectKind, ReadonlyMap<string, JsonObject>>;
  /** Kinds that the server does not know. */
  readonly notInstalled: ReadonlySet<string>;
  /** Kinds that a dump does not hold, so that nobody knows what there is. */
  readonly notLoaded: ReadonlySet<string>;
}

/** A target while it is being read. */
interface Reading {
  readonly rows: Map<RowKind, Map<string, Row>>;
  readonly objects: Map<ObjectKind, Map<string, JsonObject>>;
  readonly notInstalled: Set<string>;
  readonly notLoaded: Set<string>;
}

/**
 * Reads what an import compares with.
 * @param kinds Kinds of whole objects; rows of IPAM are read in any case.
 * @throws {@link AccessDeniedError} naming every kind that may not be read.
 */
export async function readTarget(
  context: OperationContext,
  kinds: readonly ObjectKind[] = OBJECT_KINDS,
): Promise<Target> {
  const reading: Reading = {
    rows: new Map(),
    objects: new Map(),
    notInstalled: new Set(),
    notLoaded: new Set<string>(ROW_KINDS),
  };
  const denials = new Denials();
  await denials.take(readRows(context, reading));
  const store = objectsOf(context.datastore);
  for (const kind of kinds) {
    context.progress.step(`reading ${kind}`);
    await denials.take(readObjects(context, { store, kind, reading }));
  }
  denials.assertNone();
  return reading;
}

/** Which of these kinds the target has no definition for, where it can lack them. */
export async function undefinedKinds(
  { datastore, signal }: OperationContext,
  kinds: readonly ResourceKind[],
): Promise<ReadonlySet<string>> {
  return new Set(await datastore.definitions?.missing(kinds, { signal }));
}

async function readRows(context: OperationContext, reading: Reading): Promise<void> {
  const absent = await undefinedKinds(context, ROW_KINDS);
  for (const kind of absent) {
    reading.notLoaded.delete(kind);
    reading.notInstalled.add(kind);
  }
  await readKinds(context, {
    kinds: ROW_KINDS.filter((kind) => !absent.has(kind)),
    sink: {
      take: (kind, rows) => {
        const byName = reading.rows.get(kind as RowKind) ?? new Map<string, Row>();
        reading.rows.set(kind as RowKind, byName);
        for (const row of rows) byName.set(row.key.name, row);
      },
      loaded: (kind) => void reading.notLoaded.delete(kind),
      notInstalled: (kind: ResourceKind) => {
        reading.notLoaded.delete(kind);
        reading.notInstalled.add(kind);
      },
      drop: (kind) => void reading.rows.delete(kind as RowKind),
    },
  });
}

async function readObjects(
  context: OperationContext,
  { store, kind, reading }: { store: ObjectStore; kind: ObjectKind; reading: Reading },
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { absent, objects } = await store.list(kind, { signal: context.signal });
      if (absent === 'not-installed') reading.notInstalled.add(kind);
      if (absent === 'not-loaded') reading.notLoaded.add(kind);
      reading.objects.set(kind, await byName(objects));
      return;
    } catch (error) {
      if (!(error instanceof StreamRestart)) throw error;
      if (attempt < LIST_ATTEMPTS) continue;
      throw new UnavailableError(`the list of ${kind} was cut ${LIST_ATTEMPTS} times`, {
        cause: error,
        retryable: true,
      });
    }
  }
}

async function byName(
  batches: AsyncIterable<readonly JsonObject[]>,
): Promise<Map<string, JsonObject>> {
  const found = new Map<string, JsonObject>();
  for await (const batch of batches) {
    for (const object of batch) found.set(keyText(keyOf(object)), object);
  }
  return found;
}
