import type { Revision } from '../../ipam/model/resource.ts';
import type { Row } from '../../ipam/model/row.ts';
import { type ListParser, PROTOBUF_TYPE } from './list-parser.ts';
import { collectionPath, type KindPath } from './paths.ts';
import { notKubernetes } from './read-json.ts';
import type { ApiRequest, ApiResponse, Transport } from './transport.ts';

/** An answer to a list, and what is made of its items. */
export interface ItemListing<T> {
  readonly revision?: Revision | undefined;
  readonly rows: AsyncIterable<readonly T[]>;
}

/** One list of one kind. */
export interface ListRequest<T = Row> {
  readonly transport: Transport;
  readonly path: KindPath;
  /** Whether the server may answer with protobuf. */
  readonly acceptsProtobuf: boolean;
  /** Whether metadata will do: a server that knows no such lists answers with whole objects. */
  readonly isMetadataOnly?: boolean | undefined;
  /** The parser for an answer; undefined for a media type that no list has. */
  readonly parser: (mediaType: string) => ListParser<T> | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Called when the rows handed out so far are void; answers what to throw, which is a {@link StreamRestart} as long as
   * another try makes sense.
   */
  readonly onCut: (cause: unknown) => Error;
  /** Called when the list came to its end. */
  readonly onDone: () => void;
}

/** The request for the list as a whole or for a page of it. */
export function apiRequest(
  list: Pick<ListRequest<unknown>, 'path' | 'acceptsProtobuf' | 'isMetadataOnly' | 'signal'>,
  page?: { readonly limit: number; readonly token?: string | undefined },
): ApiRequest {
  const query = new URLSearchParams();
  if (page) query.set('limit', String(page.limit));
  if (page?.token !== undefined) query.set('continue', page.token);
  const text = query.size === 0 ? '' : `?${query.toString()}`;
  return {
    method: 'GET',
    path: `${collectionPath(list.path)}${text}`,
    accept: acceptOf(list),
    signal: list.signal,
  };
}

function acceptOf({
  acceptsProtobuf,
  isMetadataOnly,
}: Pick<ListRequest<unknown>, 'acceptsProtobuf' | 'isMetadataOnly'>): string {
  const json = 'application/json';
  if (isMetadataOnly) return `${json};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,${json}`;
  return acceptsProtobuf ? `${PROTOBUF_TYPE},${json}` : json;
}

/** The parser for a good answer. @throws {@link UnavailableError} when what answers is no API server. */
export function parserOf<T>(
  list: ListRequest<T>,
  request: ApiRequest,
  response: ApiResponse,
): ListParser<T> {
  const parser = list.parser(response.headers['content-type'] ?? '');
  if (parser) return parser;
  response.body.discard();
  throw notKubernetes({ request, response, transport: list.transport }, undefined);
}
