import { type JsonObject, type JsonValue, RESOURCE_KINDS } from '../../ipam/model/resource.ts';
import { storedKindOf } from '../codec/object-form.ts';
import { slotOf } from '../memory/stored.ts';
import type { StoredKind } from '../object-store.ts';
import { isObject } from './same-object.ts';

/** Identity that a typed list hands down to its items. */
export interface ListType {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Whether the value is an object that says itself what it is. */
export function isTyped(item: JsonValue): boolean {
  return (
    isObject(item) && typeof item['apiVersion'] === 'string' && typeof item['kind'] === 'string'
  );
}

/** Which row or whole object an object of a file is. */
export interface ObjectIdentity {
  readonly id: string;
  readonly kind: StoredKind;
  readonly apiVersion: string;
}

/** One text for kind and place of a row or an object. */
export function identityText(kind: StoredKind, slot: string): string {
  return `${kind} ${slot}`;
}

/** The row that an item is; undefined for lists, foreign kinds and what has no name. */
export function identify(item: JsonValue, type?: ListType): ObjectIdentity | undefined {
  if (!isObject(item)) return undefined;
  const apiVersion = item['apiVersion'] ?? type?.apiVersion;
  const kind = item['kind'] ?? type?.kind;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return undefined;
  const known = storedKindOf(apiVersion, kind);
  const slot = known && slotOf(known, { ...item, apiVersion, kind });
  return known && slot !== undefined
    ? { id: identityText(known, slot), kind: known, apiVersion }
    : undefined;
}

/** The type of a typed list such as `PodList`; undefined for other lists and for what is none. */
export function listTypeOf(value: JsonValue): ListType | undefined {
  if (!isObject(value)) return undefined;
  const { apiVersion, kind } = value;
  const isTyped = typeof kind === 'string' && kind.endsWith('List') && kind !== 'List';
  if (!isTyped || typeof apiVersion !== 'string') return undefined;
  return { apiVersion, kind: kind.slice(0, -'List'.length) };
}

/** Items of a list, an array or our own snapshot; undefined for a single object. */
export function itemsOf(value: JsonValue): readonly JsonValue[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return undefined;
  const { kind, items } = value;
  const isList =
    kind === undefined ||
    kind === 'IPAMSnapshot' ||
    (typeof kind === 'string' && kind.endsWith('List'));
  if (!isList) return undefined;
  return Array.isArray(items) ? items : typeof kind === 'string' ? [] : undefined;
}

/** Calls back for every row in a document, lists in lists included. */
export function eachObject(
  value: JsonValue,
  visit: (identity: ObjectIdentity, object: JsonObject) => void,
  type?: ListType,
): void {
  const items = itemsOf(value);
  if (items === undefined) {
    const identity = identify(value, type);
    if (identity) visit(identity, value as JsonObject);
    return;
  }
  const inner = listTypeOf(value);
  for (const item of items) eachObject(item, visit, inner);
}

/** Whether a kind is one that ipamctl reads, in whichever group. */
export function isOurs(kind: string): boolean {
  return kind === 'IPAMConfiguration' || (RESOURCE_KINDS as readonly string[]).includes(kind);
}

/** The object with its type, which items of typed lists may leave out. */
export function withType(object: JsonObject, { apiVersion, kind }: ListType): JsonObject {
  return object['apiVersion'] === apiVersion && object['kind'] === kind
    ? object
    : { apiVersion, kind, ...object };
}
