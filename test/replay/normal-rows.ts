import { parseTime } from '../../src/support/time.ts';
import type { JsonObject, JsonValue } from '../../src/support/json.ts';
import { stringifyJson } from '../../src/support/json.ts';
import type { BlockIncarnations } from './block-incarnations.ts';
import { memberOf, without } from './json-values.ts';
import { isOfRun } from './test-clock.ts';

/** What a server adds to metadata. */
const SERVER_FIELDS = [
  'managedFields',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
];
const TIME = /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)"/g;
const UID = /"uid":"[0-9a-f-]{36}"/g;

/** Rows as traces show them, each as a text: members sorted in objects, entries as they stand. */
export function normalRows(
  rows: ReadonlyMap<string, JsonValue>,
  incarnations: BlockIncarnations,
): ReadonlyMap<string, string> {
  return new Map([...rows].map(([at, value]) => [at, normalRow(value, incarnations)]));
}

function normalRow(value: JsonValue, incarnations: BlockIncarnations): string {
  if (typeof value === 'string')
    return incarnations.named(withoutTimes(value).replaceAll(UID, '"uid":"U"'));
  const text = withoutTimes(sortedText(withoutServerFields(value as JsonObject)));
  // A number stands bare in our text, and quoted in the trace's.
  return incarnations.named(text).replaceAll(/(?<=[:,[])(S\d+\+\d+)(?=[,\]}])/g, '"$1"');
}

/** JSON with sorted members, so that equal values are equal texts. */
export function sortedText(value: JsonValue | undefined): string {
  return value === undefined ? 'nothing' : stringifyJson(sorted(value));
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

function withoutTimes(text: string): string {
  return text.replaceAll(TIME, (quoted, time: string) =>
    isOfRun(parseTime(time) ?? 0) ? '"T"' : quoted,
  );
}

function withoutServerFields(object: JsonObject): JsonObject {
  return { ...object, metadata: without(memberOf(object, 'metadata'), SERVER_FIELDS) };
}
