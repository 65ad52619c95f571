import type { JsonObject, JsonValue } from '../model/resource.ts';

/** Whether the value is an object, and no list. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member as an object, an empty one when it is none. */
export function objectAt(holder: JsonObject, name: string): JsonObject {
  const value = holder[name];
  return isJsonObject(value) ? value : {};
}

/** The member as a text; undefined when it is none or empty. */
export function textAt(holder: JsonObject, name: string): string | undefined {
  const value = holder[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The object without some of its members. */
export function without(object: JsonObject, names: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.has(name)));
}
