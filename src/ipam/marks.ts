import { parseJson } from '../support/json.ts';
import { readTexts, type TextMap, withAnnotation } from './model/object-metadata.ts';
import type { JsonObject } from './model/resource.ts';

/** Domain of the annotations by which ipamctl marks what it has begun; Calico's own writes leave them alone. */
export const MARK_DOMAIN = 'ipamctl.projectcalico.org/';

/** On ClusterInformation: who locked the datastore. */
export const LOCK_MARK = `${MARK_DOMAIN}lock`;

/** On ClusterInformation, while an import is not finished. */
export const IMPORT_MARK = `${MARK_DOMAIN}import`;

/** On ClusterInformation, while nodes are being renamed. */
export const RENAME_MARK = `${MARK_DOMAIN}rename`;

/**
 * On ClusterInformation, until the lock is taken or given up: the map of names that was the last one to be done whole, where
 * the names alone do not tell that it was.
 */
export const RENAMED_MARK = `${MARK_DOMAIN}renamed`;

/** On each part of a pool that was split: what it was made of. */
export const SPLIT_MARK = `${MARK_DOMAIN}split`;

/** On a pool that is being split, or made whole again: what it was before. */
export const SPLIT_SOURCE_MARK = `${MARK_DOMAIN}split-source`;

/** Who locked the datastore, when and why. */
export interface LockMark {
  readonly by: string;
  /** RFC 3339. */
  readonly at: string;
  readonly reason?: string | undefined;
}

/** Reads a mark; undefined when the object has none, or one that is no JSON object. */
export function readMark(object: JsonObject | undefined, name: string): JsonObject | undefined {
  const text = readTexts(object, 'annotations')[name];
  if (text === undefined) return undefined;
  try {
    const mark = parseJson(text) as JsonObject | null;
    return typeof mark === 'object' && mark !== null && !Array.isArray(mark) ? mark : undefined;
  } catch {
    return undefined;
  }
}

/** All marks of an object, by name. */
export function marksOf(object: JsonObject | undefined): TextMap {
  const texts = Object.entries(readTexts(object, 'annotations'));
  return Object.fromEntries(texts.filter(([name]) => name.startsWith(MARK_DOMAIN)));
}

/** The object with the marks that another one has, and none beside them. */
export function withMarksOf(
  object: JsonObject | undefined,
  other: JsonObject | undefined,
): JsonObject | undefined {
  const wanted = marksOf(other);
  const names = [...Object.keys(marksOf(object)), ...Object.keys(wanted)];
  return names.reduce((marked, name) => withAnnotation(marked, name, wanted[name]), object);
}

/** Who locked the datastore; undefined when nobody said so. */
export function readLockMark(object: JsonObject | undefined): LockMark | undefined {
  const mark = readMark(object, LOCK_MARK);
  const { by, at, reason } = mark ?? {};
  if (typeof by !== 'string' || typeof at !== 'string') return undefined;
  return { by, at, reason: typeof reason === 'string' ? reason : undefined };
}
