import { type JsonObject, keyText } from '../../ipam/model/resource.ts';
import { metadataOf } from '../../ipam/model/object-metadata.ts';
import { objectKey, shownObject } from '../codec/object-form.ts';
import { StreamRestart } from '../datastore.ts';
import type { ObjectKind, ObjectListing } from '../object-store.ts';
import type { KindLister } from './kind-lister.ts';
import { jsonParserFor } from './list-parser.ts';
import type { ItemListing } from './list-request.ts';
import { type CalicoGroup, objectKindPath } from './paths.ts';

/** One list of whole objects. */
export interface ObjectListRequest {
  readonly lister: KindLister;
  readonly group: CalicoGroup;
  readonly kind: ObjectKind;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Lists the objects of a kind as they are shown, over all namespaces. A list that is cut is taken again, and what was
 * handed out before does not come a second time: each object comes once, as it was at some moment of the listing.
 */
export async function listObjects(request: ObjectListRequest): Promise<ObjectListing> {
  const listing = await open(request);
  if (listing === 'missing') return { absent: 'not-installed', objects: none() };
  return { objects: takeAll(request, listing) };
}

/** A Kubernetes object with its type: items of core lists do not say what they are. */
export function typedNode(item: JsonObject): JsonObject {
  return { apiVersion: 'v1', kind: 'Node', ...item };
}

function open({
  lister,
  group,
  kind,
  signal,
}: ObjectListRequest): Promise<ItemListing<JsonObject> | 'missing'> {
  const show = (item: JsonObject): JsonObject =>
    shownObject(kind, kind === 'Node' ? typedNode(item) : item);
  return lister.open({
    kind,
    path: objectKindPath(kind, group),
    acceptsProtobuf: false,
    parser: (mediaType) => jsonParserFor(mediaType, (item) => [show(item)]),
    signal,
  });
}

async function* takeAll(
  request: ObjectListRequest,
  first: ItemListing<JsonObject>,
): AsyncGenerator<readonly JsonObject[]> {
  const taken = new Set<string>();
  let listing: ItemListing<JsonObject> | 'missing' = first;
  while (listing !== 'missing') {
    try {
      for await (const batch of listing.rows)
        yield batch.filter((object) => isNew(object, request.kind, taken));
      return;
    } catch (error) {
      if (!(error instanceof StreamRestart)) throw error;
    }
    listing = await open(request);
  }
}

function isNew(object: JsonObject, kind: ObjectKind, taken: Set<string>): boolean {
  const { uid } = metadataOf(object);
  const identity = typeof uid === 'string' ? uid : keyText(objectKey(kind, object));
  const isFirst = !taken.has(identity);
  taken.add(identity);
  return isFirst;
}

async function* none(): AsyncGenerator<readonly JsonObject[]> {
  // There is nothing of a kind that is not installed.
}
