import {
  type JsonObject,
  type JsonValue,
  RESOURCE_KINDS,
  type ResourceKind,
} from '../../ipam/model/resource.ts';
import { stringifyJson } from '../../support/json.ts';
import { dataErrorAt, type Place } from './place.ts';

/** Newest format of our own snapshot files that this version reads. */
const SCHEMA_VERSION = 1;

/** What a snapshot file of ours holds. */
export interface SnapshotDocument {
  readonly items: readonly JsonValue[];
  /** Kinds that were read when it was made, empty ones too. */
  readonly kinds: readonly ResourceKind[];
}

/** Reads the head of our own snapshot format. @throws {@link DataError} for a newer format, or one without items. */
export function readSnapshotDocument(snapshot: JsonObject, place: Place): SnapshotDocument {
  const { schemaVersion, items, kinds } = snapshot;
  if (schemaVersion !== SCHEMA_VERSION) {
    throw dataErrorAt(
      place,
      `this snapshot has schemaVersion ${stringifyJson(schemaVersion ?? null)}, and this ipamctl reads ${SCHEMA_VERSION}`,
      'use the ipamctl that wrote it, or a newer one',
    );
  }
  if (!Array.isArray(items)) throw dataErrorAt(place, 'this snapshot has no items');
  const known = Array.isArray(kinds) ? kinds : [];
  return { items, kinds: RESOURCE_KINDS.filter((kind) => known.includes(kind)) };
}
