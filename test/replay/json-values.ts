import type { JsonObject, JsonValue } from '../../src/support/json.ts';

/** Whether the value is an object, and no list. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text that the scenario must have given. */
export function textOf(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  throw new Error(`a text is expected, not ${JSON.stringify(value)}`);
}

/** A member that is an object; an empty one when it is not there. */
export function memberOf(object: JsonObject | undefined, name: string): JsonObject {
  const value = object?.[name];
  return isObject(value) ? value : {};
}

/** The name of an object of Kubernetes. */
export function nameOf(object: JsonObject): string {
  return textOf(memberOf(object, 'metadata')['name']);
}

/** The object without some of its members. */
export function without(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}
