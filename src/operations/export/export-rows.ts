import { DataError } from '../../errors/data-error.ts';
import { type CarriedBlock, carryBlock } from '../../ipam/migration/carry-block.ts';
import { carryObject, isMirrored } from '../../ipam/migration/carry-object.ts';
import {
  carryAffinity,
  carryConfig,
  type CarriedRow,
  carryHandle,
  type CarryRules,
} from '../../ipam/migration/carry-row.ts';
import type { EntryKind } from '../../ipam/migration/entry-path.ts';
import type { NodeNames } from '../../ipam/migration/node-names.ts';
import type { JsonObject } from '../../ipam/model/resource.ts';
import { isReadable, type ReadableRow, type Row } from '../../ipam/model/row.ts';
import type { ObjectKind } from '../../datastore/object-store.ts';
import { type ExportSource, wholeList } from './export-source.ts';

/** Kinds for which the file has a list only when there are objects: calicoctl's own files have none of them. */
export const LISTED_IF_ANY: ReadonlySet<ObjectKind> = new Set<ObjectKind>(['CalicoNodeStatus']);

/** What a row of the source becomes. */
export interface ExportedRow {
  /** Undefined when it goes with a node that is left out. */
  readonly carried: CarriedRow | undefined;
  readonly block?: CarriedBlock | undefined;
}

/**
 * All rows of a kind with their whole objects, readable or not.
 * @throws {@link DataError} when the source does not hold the kind.
 */
export async function* sourceRows({ context }: ExportSource, kind: EntryKind): AsyncGenerator<Row> {
  const { datastore, signal } = context;
  const listing = await datastore.list(kind, { keep: () => true, signal });
  if (listing.absent !== undefined) throw notHeld(kind);
  for await (const batch of wholeList(kind, listing.rows)) yield* batch;
}

/** What becomes of a readable row. */
export function exportRow(row: ReadableRow, rules: CarryRules): ExportedRow {
  switch (row.kind) {
    case 'IPAMBlock': {
      const block = carryBlock(row, rules);
      return { carried: block.row, block };
    }
    case 'BlockAffinity':
      return { carried: carryAffinity(row, rules) };
    case 'IPAMHandle':
      return { carried: carryHandle(row, rules) };
    case 'IPAMConfig':
      return { carried: carryConfig(row) };
    default:
      return { carried: undefined };
  }
}

/** The rows of a kind as the file has them; for a source of which every row is known to be readable. */
export async function* carriedRows(
  source: ExportSource,
  kind: EntryKind,
  rules: CarryRules,
): AsyncGenerator<CarriedRow> {
  for await (const row of sourceRows(source, kind)) {
    const { carried } = isReadable(row) ? exportRow(row, rules) : { carried: undefined };
    if (carried !== undefined) yield carried;
  }
}

/** What an object of the source becomes. */
export interface ExportedObject {
  readonly object: JsonObject;
  /** Undefined when it goes with a node that is left out. */
  readonly carried: JsonObject | undefined;
}

/** The objects of a kind one by one; undefined where the source does not hold the kind, which is not the same as none. */
export async function sourceObjects(
  { context, objects }: ExportSource,
  kind: ObjectKind,
): Promise<AsyncIterable<JsonObject> | undefined> {
  const listing = await objects.list(kind, { signal: context.signal });
  return listing.absent === 'not-loaded' ? undefined : singly(kind, listing.objects);
}

async function* singly(
  kind: ObjectKind,
  batches: AsyncIterable<readonly JsonObject[]>,
): AsyncGenerator<JsonObject> {
  for await (const batch of wholeList(kind, batches)) yield* batch;
}

/** What the objects of a kind become, without those that Kubernetes makes by itself. */
export async function* exportedObjects(
  objects: AsyncIterable<JsonObject>,
  kind: ObjectKind,
  names: NodeNames,
): AsyncGenerator<ExportedObject> {
  for await (const object of objects) {
    if (!isMirrored(kind, object)) yield { object, carried: carryObject(kind, object, names) };
  }
}

function notHeld(kind: string): DataError {
  return new DataError(`this source does not hold the kind ${kind}, so its data would be lost`, {
    hint: 'export the live datastore, or a dump that holds every kind of IPAM',
  });
}
