import type { JsonObject, JsonValue } from '../../ipam/model/resource.ts';
import { objectMember } from './encode-fields.ts';
import { isObject } from './fields.ts';

/**
 * Whether a stored object is what was written: the same spec, labels and annotations. Whatever else a server adds (defaults
 * of fields that were left out, managed fields, times) does not matter.
 */
export function isSameWritten(stored: JsonObject, written: JsonObject): boolean {
  const [found, sent] = [objectMember(stored, 'metadata'), objectMember(written, 'metadata')];
  return (
    contains(stored['spec'], written['spec']) &&
    contains(found['labels'], sent['labels']) &&
    contains(found['annotations'], sent['annotations'])
  );
}

/** Whether two values say the same, whatever the order of their members. */
export function isSameJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return contains(a, b) && contains(b, a);
}

/** Whether every member that was written is stored with the same value; lists have to be equal. */
function contains(stored: JsonValue | undefined, written: JsonValue | undefined): boolean {
  if (written === undefined || Object.is(stored, written)) return true;
  if (Array.isArray(written)) {
    return (
      Array.isArray(stored) &&
      stored.length === written.length &&
      written.every((item, i) => contains(stored[i], item) && contains(item, stored[i]))
    );
  }
  if (!isObject(stored) || !isObject(written)) return false;
  return Object.entries(written).every(([name, value]) => contains(stored[name], value));
}
