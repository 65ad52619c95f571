import { metadataOf } from '../../ipam/model/object-metadata.ts';
import {
  keyText,
  type JsonObject,
  type ResourceKey,
  type ResourceKind,
  type Revision,
} from '../../ipam/model/resource.ts';
import { type RevisionOptions, StreamRestart } from '../datastore.ts';
import type { KindLister } from './kind-lister.ts';
import { jsonParserFor } from './list-parser.ts';
import type { KindPath } from './paths.ts';

/** A kind whose revisions are to be listed. */
export interface RevisionList {
  readonly lister: KindLister;
  readonly kind: ResourceKind;
  readonly path: KindPath;
}

/** A row without what it says. */
interface Version {
  readonly key: ResourceKey;
  readonly revision: Revision;
}

/**
 * Revisions of the wanted objects of a kind, by the text of their keys. Only metadata are asked for, which is a tenth of a
 * block. A list that is cut is taken again.
 * Source: Kubernetes API concepts, "Metadata-only fetches".
 */
export async function listRevisions(
  list: RevisionList,
  options: RevisionOptions,
): Promise<ReadonlyMap<string, Revision>> {
  for (;;) {
    try {
      return await revisionsOnce(list, options);
    } catch (error) {
      // The lister bounds how often a kind starts over.
      if (!(error instanceof StreamRestart)) throw error;
    }
  }
}

async function revisionsOnce(
  { lister, kind, path }: RevisionList,
  { isWanted, signal }: RevisionOptions,
): Promise<ReadonlyMap<string, Revision>> {
  const parser = (mediaType: string) => jsonParserFor(mediaType, (item) => [versionOf(item)]);
  const request = { kind, path, acceptsProtobuf: false, isMetadataOnly: true, parser, signal };
  const listing = await lister.open(request);
  const found = new Map<string, Revision>();
  if (listing === 'missing') return found;
  for await (const batch of listing.rows) {
    for (const { key, revision } of batch) if (isWanted(key)) found.set(keyText(key), revision);
  }
  return found;
}

/** @throws SyntaxError for what no API server sends. */
function versionOf(item: JsonObject): Version {
  const { namespace, name, resourceVersion } = metadataOf(item);
  if (typeof name !== 'string' || typeof resourceVersion !== 'string') {
    throw new SyntaxError('an item has no name or no revision');
  }
  const key = typeof namespace === 'string' ? { namespace, name } : { name };
  return { key, revision: resourceVersion as Revision };
}
