import type { JsonObject } from '../../../src/support/json.ts';
import { type Accepts, type Answer, jsonAnswer, refusal } from './answer.ts';
import type { ObjectStore, StoredList } from './object-store.ts';
import { listInProtobuf } from './protobuf-encoder.ts';
import { collectionOf, type Target } from './resources.ts';

/** The rest of a list whose first pages were given away. */
interface Continuation {
  readonly list: StoredList;
  readonly from: number;
}

/** Lists collections, in pages of the revision of the first one when asked for. */
export class Lister {
  /** Items of a page that was not asked for as such, as of a gateway with a limit of its own; all when undefined. */
  unaskedLimit: number | undefined;
  readonly #store: ObjectStore;
  readonly #continuations = new Map<string, Continuation>();
  #tokens = 0;

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  /** Forgets the revisions of all lists that are under way, as compaction does. */
  expire(): void {
    this.#continuations.clear();
  }

  answer(target: Target, query: URLSearchParams, accepts: Accepts): Answer {
    const token = query.get('continue');
    const rest = token === null ? this.#fresh(target) : this.#continuations.get(token);
    if (!rest) {
      const message =
        'The provided continue parameter is too old to display a consistent list result.';
      return refusal(410, { reason: 'Expired', message }, accepts);
    }
    const limit = Number(query.get('limit') ?? this.unaskedLimit ?? 0);
    const end =
      limit === 0
        ? rest.list.objects.length
        : Math.min(rest.list.objects.length, rest.from + limit);
    const metadata: JsonObject = { resourceVersion: String(rest.list.revision) };
    if (end < rest.list.objects.length) {
      metadata['continue'] = `token-${String(++this.#tokens)}`;
      this.#continuations.set(metadata['continue'], { list: rest.list, from: end });
    }
    return listAnswer(target, metadata, {
      items: rest.list.objects.slice(rest.from, end),
      accepts,
    });
  }

  #fresh({ resource, namespace }: Target): Continuation {
    return { list: this.#store.list(collectionOf(resource), namespace), from: 0 };
  }
}

function listAnswer(
  { resource }: Target,
  metadata: JsonObject,
  { items, accepts }: { readonly items: readonly JsonObject[]; readonly accepts: Accepts },
): Answer {
  const { kind, apiVersion } = resource;
  if (accepts.metadataOnly) return metadataAnswer(metadata, items);
  if (apiVersion !== 'v1') {
    // Lists of custom resources are maps to the server, with their members in order of the alphabet.
    return jsonAnswer({
      apiVersion,
      items: [...items],
      kind: `${kind}List`,
      metadata: { continue: '', ...metadata },
    });
  }
  if (accepts.protobuf && (kind === 'Pod' || kind === 'Node')) {
    return {
      status: 200,
      type: 'application/vnd.kubernetes.protobuf',
      body: listInProtobuf(kind, metadata, items),
    };
  }
  // Items of core lists do not say what they are.
  const bare = items.map(({ apiVersion: _apiVersion, kind: _kind, ...rest }) => rest);
  return jsonAnswer({ kind: `${kind}List`, apiVersion, metadata, items: bare });
}

function metadataAnswer(metadata: JsonObject, items: readonly JsonObject[]): Answer {
  const apiVersion = 'meta.k8s.io/v1';
  const bare = items.map((item) => ({
    kind: 'PartialObjectMetadata',
    apiVersion,
    metadata: item['metadata'] ?? {},
  }));
  return jsonAnswer({ kind: 'PartialObjectMetadataList', apiVersion, metadata, items: bare });
}
