import { InternalError } from '../../errors/internal-error.ts';
import type { JsonObject } from '../../ipam/model/resource.ts';
import type { TextChanges } from './change-value.ts';
import { eachObject, identify } from './object-identity.ts';
import { isSameValue } from './same-object.ts';
import type { TextPart } from './text-documents.ts';

/** A text before and after it was rewritten. */
export interface Rewrite {
  readonly before: readonly TextPart[];
  readonly after: readonly TextPart[];
  readonly changes: TextChanges;
  /** For messages. */
  readonly file: string;
}

/** An object of a file, with the type that a list gives it. */
interface FoundObject {
  readonly object: JsonObject;
  readonly apiVersion: string;
}

type Found = ReadonlyMap<string, readonly FoundObject[]>;

/**
 * Makes sure that a rewritten text says what it should, as the next command will read it.
 *
 * @throws {@link InternalError} naming the object that is not as it should be.
 */
export function assertRewritten({ before, after, changes, file }: Rewrite): void {
  const [old, now] = [objectsOf(before), objectsOf(after)];
  for (const [id, wanted] of wantedObjects(old, changes)) {
    if (!isAsWanted(now.get(id) ?? [], wanted)) throw notRewritten(file, id);
  }
  for (const [id, copies] of old) {
    if (changes.changed.has(id)) continue;
    if ((now.get(id)?.length ?? 0) < copies.length) throw notRewritten(file, id);
  }
}

function* wantedObjects(
  old: Found,
  { changed, added }: TextChanges,
): Generator<readonly [string, JsonObject | undefined]> {
  for (const object of added) {
    const identity = identify(object);
    if (identity) yield [identity.id, object];
  }
  for (const [id, wanted] of changed) {
    // The copy of the other API group is left as it is.
    const isElsewhere = old
      .get(id)
      ?.every(({ apiVersion }) => apiVersion !== wanted?.['apiVersion']);
    if (wanted === undefined || isElsewhere !== true) yield [id, wanted];
  }
}

function isAsWanted(found: readonly FoundObject[], wanted: JsonObject | undefined): boolean {
  if (wanted === undefined) return found.length === 0;
  // Items of a typed list need not say what they are.
  const { apiVersion = null, kind = null } = wanted;
  return found.some(({ object }) => isSameValue({ apiVersion, kind, ...object }, wanted));
}

function objectsOf(parts: readonly TextPart[]): Found {
  const objects = new Map<string, FoundObject[]>();
  for (const part of parts) {
    const values = part.values ?? part.documents.map(({ value }) => value);
    for (const value of values) {
      eachObject(value, ({ id, apiVersion }, object) => {
        objects.set(id, [...(objects.get(id) ?? []), { object, apiVersion }]);
      });
    }
  }
  return objects;
}

function notRewritten(file: string, id: string): InternalError {
  return new InternalError(`${file} would not hold ${id} as it should, so it was left as it is`);
}
