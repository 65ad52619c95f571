import { type JsonValue, stringifyJson } from '../../src/support/json.ts';

const ORDINAL = /^\d+$/;

/**
 * The text of an etcd value as Go writes it: numbers that are names of members stand in the order of their texts, while
 * JavaScript keeps them in the order of the numbers.
 */
export function entryText(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(entryText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return stringifyJson(value);
  const members = Object.entries(value);
  const isByOrdinal = members.length > 0 && members.every(([name]) => ORDINAL.test(name));
  if (isByOrdinal) members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${entryText(member)}`).join(',')}}`;
}
