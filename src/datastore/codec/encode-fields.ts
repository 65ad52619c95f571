import type { JsonObject, JsonValue } from '../../ipam/model/resource.ts';
import { isObject } from './fields.ts';

/** Members to set; an undefined one is taken away. */
export type FieldValues = Readonly<Record<string, JsonValue | undefined>>;

/** The base with these members set, in the order of the base; new ones follow, and members that are not named stay. */
export function mergeFields(base: JsonObject, fields: FieldValues): JsonObject {
  const members = Object.entries({ ...base, ...fields });
  return Object.fromEntries(
    members.filter((member): member is [string, JsonValue] => member[1] !== undefined),
  );
}

/** The same with the named members first, in the order in which Calico writes them to etcd. */
export function orderFields(base: JsonObject, fields: FieldValues): JsonObject {
  const ordered: JsonObject = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) ordered[name] = value;
  }
  for (const [name, value] of Object.entries(base)) {
    if (!(name in fields)) ordered[name] = value;
  }
  return ordered;
}

/** A member that is an object, or an empty one. */
export function objectMember(holder: JsonObject | undefined, name: string): JsonObject {
  const value = holder?.[name];
  return isObject(value) ? value : {};
}

/** An integer as the JSON parser would give it: a bigint only beyond 2^53. */
export function integerValue(value: bigint): number | bigint {
  const narrow = Number(value);
  return Number.isSafeInteger(narrow) ? narrow : value;
}

/** Members sorted by name, as Go prints maps. */
export function sortedMap<T extends JsonValue>(map: Readonly<Record<string, T>>): JsonObject {
  return Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));
}
