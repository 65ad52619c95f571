import type { JsonObject, JsonValue } from '../../ipam/model/resource.ts';
import { mergeFields, objectMember, orderFields, sortedMap } from '../codec/encode-fields.ts';
import { withoutServerFields } from '../codec/encode-metadata.ts';
import { isObject } from '../codec/fields.ts';
import { objectEntryValue } from '../codec/object-entry.ts';
import { creationTime, type Stamps } from './stamps.ts';

/** Metadata that the key of an entry has in its place, or that etcd has no use for. */
const NOT_STORED = { resourceVersion: undefined, selfLink: undefined, managedFields: undefined };

/**
 * The value of a resource that is made: with a uid and a creation time of its own, since no server gives them.
 * Source: Calico libcalico-go lib/clientv3 resources.go, creation of resources.
 */
export function newResource(object: JsonObject, stamps: Stamps): JsonObject {
  const bare = withoutServerFields(object);
  const { name = '', namespace, ...rest } = objectMember(bare, 'metadata');
  const metadata = orderFields(rest, {
    name,
    namespace,
    uid: stamps.uid(),
    creationTimestamp: creationTime(stamps),
  });
  return storedResource({ ...bare, metadata });
}

/**
 * The value of a resource as Calico stores it: members in its order, maps sorted, and without what only a read shows.
 * Source: Calico libcalico-go lib/clientv3 resources.go, conversion to what is stored.
 */
export function storedResource(object: JsonObject): JsonObject {
  const metadata = objectMember(object, 'metadata');
  return objectEntryValue({
    ...object,
    metadata: mergeFields(metadata, {
      ...NOT_STORED,
      labels: sortedTexts(metadata['labels']),
      annotations: sortedTexts(metadata['annotations']),
    }),
  });
}

/** A map in Go's order; an empty one is left out. */
function sortedTexts(map: JsonValue | undefined): JsonValue | undefined {
  if (!isObject(map)) return map;
  return Object.keys(map).length === 0 ? undefined : sortedMap(map);
}
