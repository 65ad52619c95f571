import { hash } from 'node:crypto';
import {
  type JsonObject,
  type JsonValue,
  keyText,
  type ResourceKey,
  type ResourceKind,
  type Revision,
} from '../../ipam/model/resource.ts';
import type { Row } from '../../ipam/model/row.ts';
import { stringifyJson } from '../../support/json.ts';
import { decodeEntry, decodeObject, NAMESPACED } from '../codec/decode.ts';
import { isObjectKind } from '../codec/object-form.ts';
import { OBJECT_TYPES, type StoredKind } from '../object-store.ts';
import { isObject } from '../codec/fields.ts';

/** A stored value. */
export interface Stored {
  readonly value: JsonValue;
  /** Key of an etcd or migration-file value, in which its identity stands. */
  readonly path?: string | undefined;
  /** Revision of such a value since it was written here; it does not hold one of its own. */
  readonly revision?: Revision | undefined;
}

/** Kinds whose rows ipamctl writes. */
const WRITABLE_KINDS: ReadonlySet<ResourceKind> = new Set<ResourceKind>([
  'IPAMBlock',
  'BlockAffinity',
  'IPAMHandle',
  'IPAMConfig',
  'IPPool',
  'ClusterInformation',
]);

/** Characters of a revision that is made from the content. */
const REVISION_LENGTH = 16;

/**
 * Where an object of this kind is kept, or undefined when it has no name. A Kubernetes node and a Calico node row of the
 * same name are two rows: either may carry tunnel addresses that the other does not show.
 */
export function slotOf(kind: StoredKind, object: JsonObject): string | undefined {
  const { metadata, apiVersion } = object;
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata))
    return undefined;
  const { name, namespace } = metadata;
  if (typeof name !== 'string' || name === '') return undefined;
  if (
    kind === 'Node' &&
    typeof apiVersion === 'string' &&
    apiVersion.startsWith('projectcalico.org/')
  ) {
    return calicoSlot(name);
  }
  const hasNamespace = isNamespaced(kind) && typeof namespace === 'string' && namespace !== '';
  return keyText({ name, namespace: hasNamespace ? namespace : undefined });
}

function isNamespaced(kind: StoredKind): boolean {
  return isObjectKind(kind) ? OBJECT_TYPES[kind].isNamespaced : NAMESPACED.has(kind);
}

/** Where a Calico node row of this name is kept. */
export function calicoSlot(name: string): string {
  // No stored name holds a blank, so this cannot meet another slot.
  return `calico ${name}`;
}

/** The row of a stored value as lists show it; rows that can be written have a revision in any case. */
export function decodeStored(kind: ResourceKind, stored: Stored): Row | undefined {
  const { path, value } = stored;
  const row =
    path === undefined ? decodeObject(kind, value as JsonObject) : decodeEntry(path, value);
  if (row === undefined || row.revision !== undefined || !WRITABLE_KINDS.has(kind)) return row;
  return { ...row, revision: revisionOf(stored) };
}

/** The row with its whole object and, in any case, a revision. */
export function decodeWhole(kind: ResourceKind, stored: Stored): Row | undefined {
  const row =
    stored.path === undefined ? decodeStored(kind, stored) : decodeEntry(stored.path, stored.value);
  return row && withObject(row, stored);
}

/** Adds the whole object and, in any case, a revision. */
export function withObject(row: Row, stored: Stored): Row {
  const { value, path } = stored;
  const revision = row.revision ?? revisionOf(stored);
  const whole =
    path === undefined ? { ...row, revision } : { ...row, revision, entry: { path, value } };
  return isObject(value) ? { ...whole, object: value } : whole;
}

/** Entries are kept by path, and only their decoded rows know the name. */
export function findEntry(
  kind: ResourceKind,
  rows: ReadonlyMap<string, Stored>,
  key: ResourceKey,
): Row | undefined {
  const wanted = keyText(key);
  for (const stored of rows.values()) {
    if (stored.path === undefined) continue;
    const row = decodeWhole(kind, stored);
    if (row !== undefined && keyText(row.key) === wanted) return row;
  }
  return undefined;
}

/**
 * Revision of a value that holds none. Dumps without resourceVersions have rows that can only be told apart by what they
 * say; that holds from run to run.
 */
export function revisionOf({ revision, value }: Stored): Revision {
  if (revision !== undefined) return revision;
  return `content-${hash('sha256', stringifyJson(value)).slice(0, REVISION_LENGTH)}` as Revision;
}
