import { METADATA_ANNOTATION } from '../../ipam/model/object-metadata.ts';
import type { JsonObject, JsonValue } from '../../ipam/model/resource.ts';
import { mergeFields, objectMember, sortedMap } from './encode-fields.ts';
import { EMPTY_COPIES, parseCopy } from './object-head.ts';

/** What the server sets; an object that is created anew must not bring it along. */
const SERVER_FIELDS: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
  'selfLink',
]);

/** Metadata to write. */
export interface MetadataChange {
  readonly name: string;
  readonly uid?: string | undefined;
  readonly revision?: string | undefined;
  /** Labels to set; others stay. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Whether the clients of the group keep a copy of the metadata in an annotation. */
  readonly hasCopy: boolean;
}

/** Metadata over the stored one: labels, annotations, finalizers and whatever else there is survive. */
export function encodeMetadata(base: JsonObject, change: MetadataChange): JsonObject {
  const { labels, hasCopy } = change;
  return mergeFields(base, {
    name: change.name,
    ...(change.uid === undefined ? {} : { uid: change.uid }),
    ...(change.revision === undefined ? {} : { resourceVersion: change.revision }),
    ...(labels === undefined ? {} : { labels: { ...objectMember(base, 'labels'), ...labels } }),
    ...(hasCopy ? { annotations: annotationsWithCopy(base, labels) } : {}),
  });
}

/** An object without what only the server may set, so that it can be created. */
export function withoutServerFields(object: JsonObject): JsonObject {
  const metadata = Object.entries(objectMember(object, 'metadata'));
  const kept = metadata.filter(([name]) => !SERVER_FIELDS.has(name));
  return { ...object, metadata: Object.fromEntries(kept) };
}

/** What the server set in the metadata of an object. */
export function serverFieldsOf(object: JsonObject): JsonObject {
  const metadata = Object.entries(objectMember(object, 'metadata'));
  return Object.fromEntries(metadata.filter(([name]) => SERVER_FIELDS.has(name)));
}

/** An object without the record of who wrote which field, which may be as long as the rest and which the server keeps. */
export function withoutManagedFields(object: JsonObject): JsonObject {
  const { managedFields: _managedFields, ...metadata } = objectMember(object, 'metadata');
  return { ...object, metadata };
}

/**
 * Source: Calico libcalico-go lib/backend/k8s/resources customresource.go, conversion to the stored resource.
 *
 * Departs from upstream: a copy that says more than labels is kept instead of being replaced.
 */
function annotationsWithCopy(base: JsonObject, labels: MetadataChange['labels']): JsonObject {
  const annotations = objectMember(base, 'annotations');
  return {
    ...annotations,
    [METADATA_ANNOTATION]: copyText(annotations[METADATA_ANNOTATION], labels),
  };
}

function copyText(stored: JsonValue | undefined, labels: MetadataChange['labels']): string {
  const isBlank = typeof stored !== 'string' || EMPTY_COPIES.has(stored);
  if (labels === undefined) return isBlank ? '{}' : stored;
  const copy = (isBlank ? undefined : parseCopy(stored)) ?? {};
  const known = objectMember(copy, 'labels') as Record<string, string>;
  return JSON.stringify(mergeFields(copy, { labels: sortedMap({ ...known, ...labels }) }));
}
