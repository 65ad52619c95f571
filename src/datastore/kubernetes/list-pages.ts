import { setImmediate } from 'node:timers/promises';
import { ToolError } from '../../errors/tool-error.ts';
import { UnavailableError } from '../../errors/unavailable-error.ts';
import type { Revision } from '../../ipam/model/resource.ts';
import { type ItemListing, type ListRequest, apiRequest, parserOf } from './list-request.ts';
import { requestText } from './map-error.ts';
import type { ListMetadata } from './protobuf-list.ts';
import { sendRetrying, waitMs } from './retry.ts';
import type { ApiResponse } from './transport.ts';

/** Items of a page unless told otherwise: kubectl's size, measured to be as good as larger ones. */
export const PAGE_SIZE = 500;

/** How often a page whose body breaks off is asked for. */
const PAGE_ATTEMPTS = 4;

/** A page that was read but not decoded. */
interface Page<T> {
  readonly metadata: ListMetadata;
  readonly rows: () => T[];
}

/** The server has no such kind, or has forgotten the revision that the pages are of. */
type NoPage = 'missing' | 'expired';

/**
 * Lists a kind in pages of one consistent revision, each asked for while the one before is decoded. For servers that build
 * a list as a whole before they send it, or have no room for one.
 *
 * @returns `missing` when the server has no such kind.
 */
export async function openPages<T>(
  list: ListRequest<T>,
  limit: number,
): Promise<ItemListing<T> | 'missing'> {
  const first = await fetchPage(list, { limit });
  if (first === 'missing') return 'missing';
  if (first === 'expired') throw list.onCut(new Error('the first page has expired'));
  return {
    revision: first.metadata.resourceVersion as Revision | undefined,
    rows: readPages(list, limit, first),
  };
}

async function* readPages<T>(
  list: ListRequest<T>,
  limit: number,
  first: Page<T>,
): AsyncGenerator<readonly T[]> {
  let page: Page<T> = first;
  for (;;) {
    const token = page.metadata.continue;
    const next = token === undefined ? undefined : fetchPage(list, { limit, token });
    // Whoever breaks off before the next page must not leave its failure without a listener.
    next?.catch(() => undefined);
    // The request leaves only when the event loop turns, and decoding would hold it up.
    if (next) await setImmediate();
    yield decoded(list, page);
    list.signal?.throwIfAborted();
    if (!next) break;
    page = sequel(list, page, await next);
  }
  list.onDone();
}

/** Throws what restarts the kind when the next page is not of the same revision. */
function sequel<T>(list: ListRequest<T>, before: Page<T>, next: Page<T> | NoPage): Page<T> {
  if (typeof next === 'string')
    throw list.onCut(new Error('the revision of the pages has expired'));
  if (next.metadata.resourceVersion !== before.metadata.resourceVersion) {
    throw list.onCut(new Error('a page is of another revision than the one before'));
  }
  return next;
}

function decoded<T>(list: ListRequest<T>, page: Page<T>): readonly T[] {
  try {
    return page.rows();
  } catch (error) {
    throw list.onCut(error);
  }
}

async function fetchPage<T>(
  list: ListRequest<T>,
  page: { readonly limit: number; readonly token?: string | undefined },
): Promise<Page<T> | NoPage> {
  const { transport, signal } = list;
  const request = apiRequest(list, page);
  const accepts = (status: number): boolean => status === 404 || status === 410;
  for (let attempt = 1; ; attempt++) {
    const response = await sendRetrying(transport, request, { accepts });
    if (response.status !== 200) {
      response.body.discard();
      return response.status === 404 ? 'missing' : 'expired';
    }
    try {
      return await readPage(list, response);
    } catch (error) {
      if (signal?.aborted || isFinal(error)) throw error;
      if (attempt >= PAGE_ATTEMPTS) throw brokenPage(list, error);
      await transport.ports.sleep(waitMs(attempt, undefined, transport), signal);
    }
  }
}

/** A page is small, so it is read as a whole; asking for it again after a cut then joins nothing. */
async function readPage<T>(list: ListRequest<T>, response: ApiResponse): Promise<Page<T>> {
  const parser = parserOf(list, apiRequest(list), response);
  const rows = parser.push([await response.body.bytes()]);
  return { metadata: parser.end(), rows };
}

function isFinal(error: unknown): boolean {
  return error instanceof ToolError && !error.retryable;
}

function brokenPage(list: ListRequest<unknown>, cause: unknown): UnavailableError {
  const where = requestText(apiRequest(list), list.transport.access);
  return new UnavailableError(`${where}: the answer broke off ${String(PAGE_ATTEMPTS)} times`, {
    cause,
    hint: 'try smaller pages with --page-size',
  });
}
