import type { JsonValue, Revision } from '../../ipam/model/resource.ts';
import type { Row } from '../../ipam/model/row.ts';
import { parseJson } from '../../support/json.ts';
import { decodeEntry } from '../codec/decode.ts';
import { isObject } from '../codec/fields.ts';
import type { EtcdEntry } from './etcd-client.ts';

/** The stored value; a text that is no JSON stays one, and makes the row unreadable unless it may be empty. */
export function storedValue({ value }: EtcdEntry): JsonValue {
  if (value === undefined) return false;
  try {
    return parseJson(value);
  } catch {
    return value;
  }
}

/**
 * The row of an entry, with its mod revision; undefined for a key that is no row, such as the mark of a host. What cannot
 * be read is an unreadable row, never left out.
 */
export function rowOfEntry(entry: EtcdEntry, value: JsonValue): Row | undefined {
  const row = decodeEntry(entry.key, value);
  if (row === undefined) return undefined;
  const revision = revisionText(entry.modRevision);
  if (entry.value !== undefined) return { ...row, revision };
  return { ...row, revision, unreadable: 'its key or its value is no text in UTF-8' };
}

/** The row with what is stored beside it. */
export function withStored(row: Row, { key }: EtcdEntry, value: JsonValue): Row {
  const whole = { ...row, entry: { path: key, value } };
  return isObject(value) ? { ...whole, object: value } : whole;
}

/** The row of an entry with what is stored. */
export function wholeRowOf(entry: EtcdEntry): Row | undefined {
  const value = storedValue(entry);
  const row = rowOfEntry(entry, value);
  return row && withStored(row, entry, value);
}

/** A mod revision as rows and documents have it: decimal text. */
export function revisionText(revision: bigint): Revision {
  return String(revision) as Revision;
}
