/** Dumps in which something is not what it should be. */
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../src/ipam/model/resource.ts';
import type { Dump } from './load-objects.ts';

/** What stands where something else belongs. */
const WRONG: readonly JsonValue[] = [7, -1, 1.5, 2n ** 70n, true, [1], [], { a: { b: [] } }, {}];

/** Members that Kubernetes demands: where one is missing, the row is damaged. */
const REQUIRED = ['metadata', 'name', 'namespace', 'nodeName', 'cidr', 'handleID'];

type Place = readonly (string | number)[];

function placesIn(value: JsonValue, path: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [path];
  const names = Array.isArray(value) ? value.keys() : Object.keys(value);
  return [
    path,
    ...[...names].flatMap((name) => placesIn((value as JsonObject)[name] ?? null, [...path, name])),
  ];
}

function replaceAt(value: JsonValue, [name, ...rest]: Place, next: JsonValue): JsonValue {
  if (name === undefined) return next;
  // An earlier change may have taken the place away.
  if (typeof value !== 'object' || value === null) return value;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  (copy as JsonObject)[name] = replaceAt((value as JsonObject)[name] ?? null, rest, next);
  return copy;
}

function valueAt(value: JsonValue, place: Place): JsonValue {
  return place.reduce((holder, name) => (holder as JsonObject)[name] ?? null, value);
}

function typeOf(value: JsonValue): string {
  if (value === null || Array.isArray(value)) return value === null ? 'null' : 'list';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

const isIdentity = ([first]: Place): boolean => first === 'apiVersion' || first === 'kind';

/**
 * The objects of a dump with one or two values of wrong type in them.
 * @param alter Other texts that may stand in the place of a text, beside the values of wrong type.
 */
export function damaged(
  { objects }: Pick<Dump, 'objects'>,
  alter: (text: string) => readonly string[] = () => [],
): fc.Arbitrary<readonly JsonObject[]> {
  const one = fc.nat(objects.length - 1).chain((at) => {
    const places = placesIn(objects[at] as JsonObject).filter(
      (place) => place.length > 0 && !isIdentity(place),
    );
    return fc.constantFrom(...places).chain((place) => {
      const values = REQUIRED.includes(String(place.at(-1))) ? [...WRONG, null, ''] : WRONG;
      const found = valueAt(objects[at] as JsonObject, place);
      const type = typeOf(found);
      const wrong = values.filter((value) => value === '' || typeOf(value) !== type);
      const altered = typeof found === 'string' ? alter(found) : [];
      return fc.record({
        at: fc.constant(at),
        place: fc.constant(place),
        value: fc.constantFrom(...wrong, ...altered),
      });
    });
  });
  return fc.array(one, { minLength: 1, maxLength: 2 }).map((changes) => {
    const copies = [...objects];
    for (const { at, place, value } of changes)
      copies[at] = replaceAt(copies[at] as JsonObject, place, value) as JsonObject;
    return copies;
  });
}
