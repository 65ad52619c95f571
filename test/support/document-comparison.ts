/** Whether a document says at least what is expected of it. */
import { stringifyJson, type JsonObject, type JsonValue } from '../../src/support/json.ts';

/** A value of a document or an expectation; undefined where the document has no such member. */
export type Member = JsonValue | undefined;

const isObject = (value: Member): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether the whole holds the part: objects by key, arrays in any order, everything else by type and value. */
export function contains(whole: Member, part: Member): boolean {
  if (Array.isArray(part)) {
    return (
      Array.isArray(whole) && part.every((wanted) => whole.some((item) => contains(item, wanted)))
    );
  }
  if (!isObject(part)) return whole === part;
  return (
    isObject(whole) &&
    Object.entries(part).every(([key, wanted]) => contains(own(whole, key), wanted))
  );
}

/** One line for each place where the whole does not hold the part; none when it does. */
export function differences(whole: Member, part: Member, path = 'document'): string[] {
  if (isObject(part) && isObject(whole)) {
    return Object.entries(part).flatMap(([key, wanted]) =>
      differences(own(whole, key), wanted, `${path}.${key}`),
    );
  }
  return contains(whole, part) ? [] : [`${path}: expected ${spell(part)}, got ${spell(whole)}`];
}

/**
 * Expectations that find no item of their own. An item serves one expectation only; where several could serve, the
 * pairing that leaves the fewest over is taken.
 */
export function unmatched(
  items: readonly JsonValue[],
  expected: readonly JsonValue[],
): JsonValue[] {
  const holders = new Map<number, JsonValue>();
  return expected.filter((wanted) => !place(wanted, { items, holders, tried: new Set() }));
}

interface Pairing {
  readonly items: readonly JsonValue[];
  /** Which expectation an item serves, by its position. */
  readonly holders: Map<number, JsonValue>;
  readonly tried: Set<number>;
}

/** Finds an item for an expectation, moving others to another item where that helps. */
function place(wanted: JsonValue, pairing: Pairing): boolean {
  for (const [position, item] of pairing.items.entries()) {
    if (pairing.tried.has(position) || !contains(item, wanted)) continue;
    pairing.tried.add(position);
    const holder = pairing.holders.get(position);
    if (holder !== undefined && !place(holder, pairing)) continue;
    pairing.holders.set(position, wanted);
    return true;
  }
  return false;
}

/** A member of the object itself, so that `constructor` of a pool's name is none of Object's. */
function own(object: JsonObject, key: string): Member {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function spell(value: Member): string {
  return value === undefined ? 'nothing' : stringifyJson(value);
}
