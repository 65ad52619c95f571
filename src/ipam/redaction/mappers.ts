import type { JsonObject, JsonValue } from '../model/resource.ts';
import { objectOf } from '../model/object-metadata.ts';

/** Turns a value that was read into one that may be shown. */
export type Mapper = (value: JsonValue) => JsonValue;

/** What becomes of each member of an object; members that are not named are left out. */
export type Shape = Readonly<Record<string, Mapper>>;

/** The value as it is. */
export const keep: Mapper = (value) => value;

/** Whether the value is an object, and no list. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Objects by their members; null stays, and any other type is damage that the second mapper keeps alive. */
export function shape(fields: Shape, otherwise: Mapper): Mapper {
  const names = Object.entries(fields);
  return (value) => {
    if (value === null) return null;
    if (!isObject(value)) return otherwise(value);
    const result: Record<string, JsonValue> = {};
    for (const [name, map] of names) {
      const member = Object.hasOwn(value, name) ? value[name] : undefined;
      if (member !== undefined) result[name] = map(member);
    }
    return result;
  };
}

/** Lists, element by element. */
export function list(element: Mapper, otherwise: Mapper): Mapper {
  return (value) => {
    if (value === null) return null;
    return Array.isArray(value) ? value.map(element) : otherwise(value);
  };
}

/** Objects whose member names are data. Of two names that become one, the first stays. */
export function entries(
  mapName: (name: string) => string,
  element: (value: JsonValue, name: string) => JsonValue,
  otherwise: Mapper,
): Mapper {
  return (value) => {
    if (value === null) return null;
    if (!isObject(value)) return otherwise(value);
    const result: Record<string, JsonValue> = {};
    for (const [name, member] of Object.entries(value)) {
      const mapped = mapName(name);
      if (!Object.hasOwn(result, mapped)) result[mapped] = element(member, name);
    }
    return result;
  };
}

/** Texts; the empty one stays, and any other type is damage. */
export function text(map: (text: string) => string, otherwise: Mapper): Mapper {
  return (value) => {
    if (typeof value === 'string') return value === '' ? '' : map(value);
    return value === null ? null : otherwise(value);
  };
}

/** Numbers, booleans and null as they are; anything else is damage. */
export function scalar(otherwise: Mapper): Mapper {
  return (value) =>
    typeof value === 'object' && value !== null
      ? otherwise(value)
      : typeof value === 'string'
        ? otherwise(value)
        : value;
}

/** A member of an object that may be none. */
export function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return objectOf(value)[name];
}

/** A member of an object if it is a text. */
export function textOf(value: JsonValue | undefined, name: string): string | undefined {
  const member = memberOf(value, name);
  return typeof member === 'string' ? member : undefined;
}
