import { InternalError } from '../../errors/internal-error.ts';
import type { JsonObject, Revision } from '../../ipam/model/resource.ts';
import { keyText } from '../../ipam/model/resource.ts';
import type { Row } from '../../ipam/model/row.ts';
import { stringifyJson } from '../../support/json.ts';
import { formatTime } from '../../support/time.ts';
import { encodeRow, flavorOf, type RowFlavor } from '../codec/encode.ts';
import { objectMember } from '../codec/encode-fields.ts';
import { isObject } from '../codec/fields.ts';
import { withoutServerFields } from '../codec/encode-metadata.ts';
import type { RowVersion, WritableRow } from '../datastore.ts';
import { alreadyExists, conflict, notFound } from '../row-errors.ts';
import { decodeWhole, type Stored } from './stored.ts';

/** A place in a table, and what stamps the rows that are written there. */
export interface Table {
  readonly rows: Map<string, Stored>;
  /** Where the row in question is kept; an etcd key begins with a slash. */
  readonly slot: string;
  readonly flavor: RowFlavor;
  readonly nextRevision: () => Revision;
  readonly now: () => number;
}

/** Stores a new row. @throws {@link AlreadyExistsError} */
export function createStored<R extends WritableRow>(table: Table, row: R): R {
  const existing = table.rows.get(table.slot);
  if (existing !== undefined) {
    const found = decodeWhole(row.kind, existing);
    if (!(found && 'deleted' in found && found.deleted)) throw alreadyExists(row);
    table.rows.delete(table.slot);
  }
  const isEntry = table.slot.startsWith('/');
  const object = row.object && !isEntry ? withoutServerFields(row.object) : row.object;
  const flavor = isEntry ? 'etcd' : (flavorOf(object) ?? objectFlavor(table.flavor));
  const value = encodeRow({ ...row, object, revision: undefined, uid: undefined }, flavor);
  const revision = table.nextRevision();
  const stored = isEntry
    ? { path: table.slot, value, revision }
    : { value: stamped(value, { revision, now: table.now }) };
  return store(table, row, stored);
}

/** Replaces a row. @throws {@link ConflictError} @throws {@link NotFoundError} */
export function updateStored<R extends WritableRow>(table: Table, row: R): R {
  const { revision } = row;
  if (revision === undefined) {
    throw new InternalError(
      `${row.kind} ${keyText(row.key)} was to be written without its revision`,
    );
  }
  const existing = current(table, { ...row, revision });
  const isEntry = existing.path !== undefined;
  const object = row.object ?? (isObject(existing.value) ? existing.value : undefined);
  const flavor = isEntry ? 'etcd' : (flavorOf(object) ?? objectFlavor(table.flavor));
  const value = encodeRow({ ...row, object, uid: undefined, revision: undefined }, flavor);
  if (isEntry)
    return store(table, row, { path: table.slot, value, revision: table.nextRevision() });
  // A server answers a write that changes nothing with the old revision.
  if (stringifyJson(value) === stringifyJson(existing.value))
    return store(table, row, { value: existing.value });
  return store(table, row, { value: restamped(value, table.nextRevision) });
}

/** Takes a row away. @throws {@link ConflictError} @throws {@link NotFoundError} */
export function removeStored(table: Table, row: RowVersion): void {
  current(table, row);
  table.rows.delete(table.slot);
}

/** The stored row, provided that it is the one that was read. */
function current(table: Table, wanted: RowVersion): Stored {
  const stored = table.rows.get(table.slot);
  const row = stored && decodeWhole(wanted.kind, stored);
  const isAnother = wanted.uid !== undefined && row?.uid !== undefined && row.uid !== wanted.uid;
  if (stored === undefined || row === undefined || isAnother) {
    throw notFound(wanted);
  }
  if (row.revision !== wanted.revision) throw conflict(wanted);
  return stored;
}

function store<R extends WritableRow>(table: Table, row: R, stored: Stored): R {
  const written: Row | undefined = decodeWhole(row.kind, stored);
  if (written === undefined || 'unreadable' in written) {
    const problem = written && 'unreadable' in written ? written.unreadable : 'it is none';
    throw new InternalError(`${row.kind} ${keyText(row.key)} would not be readable: ${problem}`);
  }
  table.rows.set(table.slot, stored);
  // The codec reads a kind as the row of that kind.
  return written as R;
}

function objectFlavor(flavor: RowFlavor): 'crd' | 'v3' {
  return flavor === 'crd' ? 'crd' : 'v3';
}

/** A new object with what a server sets. */
export function stamped(
  object: JsonObject,
  { revision, now }: { readonly revision: Revision; readonly now: () => number },
): JsonObject {
  const uid = `00000000-0000-4000-8000-${BigInt(revision).toString(16).padStart(12, '0')}`;
  const creationTimestamp = formatTime(Math.floor(now() / 1000) * 1000);
  const metadata = objectMember(object, 'metadata');
  return {
    ...object,
    metadata: { ...metadata, uid, resourceVersion: revision, generation: 1, creationTimestamp },
  };
}

/** A changed object; what a dump leaves out is not made up: the revision of such a row is made of its content. */
export function restamped(object: JsonObject, nextRevision: () => Revision): JsonObject {
  const metadata = objectMember(object, 'metadata');
  const { generation, resourceVersion } = metadata;
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(resourceVersion === undefined ? {} : { resourceVersion: nextRevision() }),
      ...(typeof generation === 'number' ? { generation: generation + 1 } : {}),
    },
  };
}
