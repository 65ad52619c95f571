import {
  type JsonObject,
  type JsonValue,
  RESOURCE_KINDS,
  type ResourceKind,
  type StoredEntry,
} from '../../ipam/model/resource.ts';
import { stringifyJson } from '../../support/json.ts';
import { dataErrorAt, type Place } from './place.ts';
import { isObject } from './same-object.ts';

/** Newest format of our own snapshot files that this version reads. */
const SCHEMA_VERSION = 1;

/** What a snapshot file of ours holds. */
export interface SnapshotDocument {
  readonly items: readonly JsonValue[];
  /** Kinds that were read when it was made, empty ones too. */
  readonly kinds: readonly ResourceKind[];
  /** Kinds that the server did not have. */
  readonly notInstalled: readonly ResourceKind[];
  /** Keys of etcd with their values; absent for a cluster whose rows are objects of Kubernetes. */
  readonly entries?: readonly StoredEntry[] | undefined;
}

/**
 * Reads our own snapshot format.
 * @throws {@link DataError} for a newer format, one without items, or an entry without key.
 */
export function readSnapshotDocument(snapshot: JsonObject, place: Place): SnapshotDocument {
  const { schemaVersion, items, kinds, notInstalled, entries } = snapshot;
  if (schemaVersion !== SCHEMA_VERSION) {
    throw dataErrorAt(
      place,
      `this snapshot has schemaVersion ${stringifyJson(schemaVersion ?? null)}, and this ipamctl reads ${SCHEMA_VERSION}`,
      'use the ipamctl that wrote it, or a newer one',
    );
  }
  if (!Array.isArray(items)) throw dataErrorAt(place, 'this snapshot has no items');
  return {
    items,
    kinds: knownKinds(kinds),
    notInstalled: knownKinds(notInstalled),
    entries: entries === undefined ? undefined : readEntries(entries, place),
  };
}

function knownKinds(value: JsonValue | undefined): readonly ResourceKind[] {
  const known = Array.isArray(value) ? value : [];
  return RESOURCE_KINDS.filter((kind) => known.includes(kind));
}

function readEntries(entries: JsonValue, place: Place): readonly StoredEntry[] {
  if (!Array.isArray(entries)) throw dataErrorAt(place, 'the entries of this snapshot are no list');
  return entries.map((entry, i) => {
    const path = isObject(entry) ? entry['Key'] : undefined;
    if (!isObject(entry) || typeof path !== 'string')
      throw dataErrorAt(place, `entries[${i}] of this snapshot has no key`);
    return { path, value: entry['Value'] ?? null };
  });
}
