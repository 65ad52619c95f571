import type { JsonValue } from '../../src/support/json.ts';
import { isObject } from './json-values.ts';

/** Applies a JSON merge patch (RFC 7386). */
export function mergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isObject(patch)) return patch;
  const members = new Map<string, JsonValue>(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name);
    else members.set(name, mergePatch(members.get(name), value));
  }
  return Object.fromEntries<JsonValue>(members);
}
