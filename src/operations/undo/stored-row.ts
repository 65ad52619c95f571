import type { WritableRow } from '../../datastore/datastore.ts';
import { DataError } from '../../errors/data-error.ts';
import type { JsonObject, JsonValue } from '../../ipam/model/resource.ts';
import { type Cidr, formatCidr, parseCidr } from '../../net/cidr.ts';

/** Kinds that undo files hold. */
const STORED_KINDS: ReadonlySet<string> = new Set([
  'IPAMBlock',
  'IPAMHandle',
  'BlockAffinity',
  'IPAMConfig',
  'IPPool',
  'ClusterInformation',
]);

/** A whole row as JSON values: what undo files keep. 64-bit numbers stay whole. */
export function storeRow(row: WritableRow): JsonObject {
  // The entry behind a row of etcd says what the row and its object say already.
  const stored: Record<string, unknown> = { ...row, cidr: undefined, entry: undefined };
  if ('cidr' in row) stored['cidr'] = formatCidr(row.cidr);
  if (row.kind === 'IPAMBlock') {
    stored['sequenceNumbers'] = Object.fromEntries(row.sequenceNumbers);
  }
  if (row.kind === 'IPAMHandle') {
    stored['counts'] = Object.fromEntries(row.counts.map(({ text, count }) => [text, count]));
  }
  return stored as JsonObject;
}

/**
 * The row of what {@link storeRow} made.
 * @throws {@link DataError} for anything else.
 */
export function readStoredRow(stored: JsonObject): WritableRow {
  const { kind, key } = stored;
  if (typeof kind !== 'string' || !STORED_KINDS.has(kind) || !isObject(key)) throw damaged();
  const row: Record<string, unknown> = { ...stored };
  if ('cidr' in stored) row['cidr'] = readCidr(stored['cidr']);
  if (kind === 'IPAMBlock') {
    row['sequenceNumber'] = BigInt(stored['sequenceNumber'] as number | bigint);
    row['sequenceNumbers'] = readSequenceNumbers(stored['sequenceNumbers']);
  }
  if (kind === 'IPAMHandle') row['counts'] = readCounts(stored['counts']);
  return row as unknown as WritableRow;
}

function readCidr(text: JsonValue | undefined): Cidr {
  return (typeof text === 'string' ? parseCidr(text) : undefined) ?? fail();
}

function readSequenceNumbers(stored: JsonValue | undefined): ReadonlyMap<number, bigint> {
  if (!isObject(stored)) throw damaged();
  return new Map(
    Object.entries(stored).map(([ordinal, number]) => [
      Number(ordinal),
      BigInt(number as number | bigint),
    ]),
  );
}

function readCounts(stored: JsonValue | undefined): unknown {
  if (!isObject(stored)) throw damaged();
  return Object.entries(stored).map(([text, count]) => ({
    text,
    cidr: parseCidr(text),
    count: Number(count),
  }));
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function damaged(): DataError {
  return new DataError('the undo file holds a row that cannot be read');
}

function fail(): never {
  throw damaged();
}
