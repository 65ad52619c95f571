import type { ResourceKind } from '../../ipam/model/resource.ts';
import { type Keep, type ListParser, PROTOBUF_TYPE, parserFor } from './list-parser.ts';
import { collectionPath, type KindPath } from './paths.ts';
import { notKubernetes } from './read-json.ts';
import type { ApiRequest, ApiResponse, Transport } from './transport.ts';

/** One list of one kind. */
export interface ListRequest {
  readonly transport: Transport;
  readonly kind: ResourceKind;
  readonly path: KindPath;
  readonly keep: Keep;
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
  list: ListRequest,
  page?: { readonly limit: number; readonly token?: string | undefined },
): ApiRequest {
  const query = new URLSearchParams();
  if (page) query.set('limit', String(page.limit));
  if (page?.token !== undefined) query.set('continue', page.token);
  const text = query.size === 0 ? '' : `?${query.toString()}`;
  // Protobuf gives no whole objects.
  const isProtobuf = list.path.protobuf && list.keep === undefined;
  return {
    method: 'GET',
    path: `${collectionPath(list.path)}${text}`,
    accept: isProtobuf ? `${PROTOBUF_TYPE},application/json` : 'application/json',
    signal: list.signal,
  };
}

/** The parser for a good answer. @throws {@link UnavailableError} when what answers is no API server. */
export function parserOf(
  list: ListRequest,
  request: ApiRequest,
  response: ApiResponse,
): ListParser {
  const parser = parserFor(response.headers['content-type'] ?? '', list.kind, list.keep);
  if (parser) return parser;
  response.body.discard();
  throw notKubernetes({ request, response, transport: list.transport }, undefined);
}
