import type { JsonObject, JsonValue } from '../../ipam/model/resource.ts';
import { identify, itemsOf, type ListType, listTypeOf } from './object-identity.ts';
import { isObject, isSameValue } from './same-object.ts';

/** What to change in the objects of one file. */
export interface TextChanges {
  /** New objects by identity; undefined for one that goes. */
  readonly changed: ReadonlyMap<string, JsonObject | undefined>;
  /** Objects that the file does not hold yet, with type; empty typed lists count as such. */
  readonly added: readonly JsonObject[];
}

/**
 * What becomes of an item. Copies of the same object all go; of a copy in the other API group, which shows the same row, a
 * new text is not known, so it stays.
 */
export function changeItem(
  item: JsonValue,
  { changed }: TextChanges,
  type?: ListType,
): 'keep' | 'remove' | JsonObject {
  const identity = identify(item, type);
  if (identity === undefined || !changed.has(identity.id)) return 'keep';
  const object = changed.get(identity.id);
  if (object === undefined) return 'remove';
  if (object['apiVersion'] !== identity.apiVersion) return 'keep';
  const fitted = fitType(object, item as JsonObject);
  return isSameValue(fitted, item) ? 'keep' : fitted;
}

/** A whole document with the changes made; the same value when there are none, undefined when nothing is left. */
export function changeValue(
  value: JsonValue,
  changes: TextChanges,
  {
    added = [],
    type,
  }: { readonly added?: readonly JsonObject[]; readonly type?: ListType | undefined } = {},
): JsonValue | undefined {
  const items = itemsOf(value);
  if (items === undefined) {
    const change = changeItem(value, changes, type);
    return change === 'keep' ? value : change === 'remove' ? undefined : change;
  }
  const inner = listTypeOf(value);
  const changed = items.map((item) => changeValue(item, changes, { type: inner }));
  if (added.length === 0 && changed.every((item, i) => item === items[i])) return value;
  const next = [...changed.filter((item) => item !== undefined), ...added];
  return isObject(value) ? { ...value, items: next } : next;
}

/** Items of a typed list need not say what they are. */
function fitType(object: JsonObject, item: JsonObject): JsonObject {
  const isType = (name: string): boolean => name === 'apiVersion' || name === 'kind';
  const members = Object.entries(object);
  return Object.fromEntries(members.filter(([name]) => !isType(name) || item[name] !== undefined));
}
