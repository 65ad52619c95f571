import type { JsonObject, JsonValue } from '../../ipam/model/resource.ts';

/** Metadata that say how an object was written or fetched rather than what it is; dumps differ in whether they show them. */
const UNIMPORTANT_METADATA = new Set(['managedFields', 'selfLink']);

/** Whether two copies of an object say the same, whatever the order of their members. */
export function isSameObject(a: JsonObject, b: JsonObject): boolean {
  return isSameValue(strip(a), strip(b));
}

function strip(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isObject(metadata)) return object;
  const kept = Object.entries(metadata).filter(([name]) => !UNIMPORTANT_METADATA.has(name));
  return { ...object, metadata: Object.fromEntries(kept) };
}

/** Whether two values say the same; absent equals absent. */
export function isSameValue(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isSameValue(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isSameValue(a[name], b[name]))
  );
}

/** Whether a value is a JSON object. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
