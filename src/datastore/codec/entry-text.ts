import type { JsonValue } from '../../ipam/model/resource.ts';
import { stringifyJson } from '../../support/json.ts';

const ORDINAL = /^\d+$/;

/** Characters that Go's encoder writes as escapes and JavaScript's does not. */
const ESCAPED_BY_GO = /[<>&\u2028\u2029]/g;

/**
 * The text of an etcd value, byte for byte as Calico writes it. JavaScript puts members whose names are numbers first and
 * in the order of the numbers; such an object is a map, and Go writes maps in the order of the names as texts.
 * Source: Go encoding/json, which escapes what HTML could take for markup.
 */
export function entryText(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(entryText).join(',')}]`;
  if (typeof value === 'string') return textOf(value);
  if (typeof value !== 'object' || value === null) return stringifyJson(value);
  const members = Object.entries(value);
  if (members.some(([name]) => ORDINAL.test(name))) members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${textOf(name)}:${entryText(member)}`).join(',')}}`;
}

function textOf(text: string): string {
  return JSON.stringify(text).replaceAll(
    ESCAPED_BY_GO,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
