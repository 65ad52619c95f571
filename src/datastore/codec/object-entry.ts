import type { JsonObject, JsonValue, ResourceKey } from '../../ipam/model/resource.ts';
import { OBJECT_KINDS, OBJECT_TYPES, type ObjectKind } from '../object-store.ts';

/** A key of etcd under which a whole object stands. */
export interface ObjectEntry {
  readonly kind: ObjectKind;
  readonly key: ResourceKey;
}

const ROOT = '/calico/resources/v3/projectcalico.org/';

const KINDS_BY_PLURAL: ReadonlyMap<string, ObjectKind> = new Map(
  OBJECT_KINDS.map((kind) => [OBJECT_TYPES[kind].plural, kind]),
);

/** Begin of the keys of all objects of a kind. Source: Calico libcalico-go lib/backend/model, paths of resources. */
export function objectFolder(kind: ObjectKind): string {
  return `${ROOT}${OBJECT_TYPES[kind].plural}/`;
}

/** The key of an object. */
export function objectEntryPath(kind: ObjectKind, { namespace = '', name }: ResourceKey): string {
  const parts = OBJECT_TYPES[kind].isNamespaced ? [namespace, name] : [name];
  return objectFolder(kind) + parts.map(escapeName).join('/');
}

/** What a key names; undefined for one that names no whole object. */
export function parseObjectEntry(path: string): ObjectEntry | undefined {
  if (!path.startsWith(ROOT)) return undefined;
  const [plural = '', ...names] = path.slice(ROOT.length).split('/').map(unescapeName);
  const kind = KINDS_BY_PLURAL.get(plural);
  if (kind === undefined || names.includes('')) return undefined;
  const [first = '', second] = names;
  const { isNamespaced } = OBJECT_TYPES[kind];
  if (names.length !== (isNamespaced ? 2 : 1)) return undefined;
  return { kind, key: isNamespaced ? { namespace: first, name: second ?? '' } : { name: first } };
}

/** The members of a value of etcd in the order in which Calico writes them. */
export function objectEntryValue(object: JsonObject): JsonObject {
  const { kind = null, apiVersion = null, metadata = {}, ...rest } = object;
  const head: Record<string, JsonValue> = { kind, apiVersion, metadata };
  return { ...head, ...rest };
}

function escapeName(name: string): string {
  return name.replaceAll('/', '%2f');
}

function unescapeName(name: string): string {
  return name.replaceAll('%2f', '/');
}
