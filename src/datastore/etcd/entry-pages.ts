import { AccessDeniedError } from '../../errors/access-denied-error.ts';
import { type AccessRight, StreamRestart } from '../datastore.ts';
import { CompactedError } from './compacted-error.ts';
import type { EtcdClient, EtcdEntry, RangeAnswer, RangeOptions } from './etcd-client.ts';

/** What is read, and how. */
export interface PageRequest {
  readonly client: EtcdClient;
  /** Folders, which end in a slash, or single keys. */
  readonly places: readonly string[];
  /** Read as of this revision, which must not be compacted; the newest when absent. */
  readonly revision?: bigint | undefined;
  readonly pageSize?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Pages that have begun. */
export interface BegunPages {
  /** The one revision at which all is read. */
  readonly revision: bigint;
  /** At most once to be consumed. @throws {@link StreamRestart} when the revision was compacted away meanwhile. */
  readonly pages: AsyncIterable<readonly EtcdEntry[]>;
}

type Pages = AsyncIterator<RangeAnswer>;

/**
 * Reads folders of keys, each page by page and all at the revision of the first page. Resolves once each folder's first
 * page is there.
 * @throws {@link AccessDeniedError} naming every folder that may not be read.
 */
export async function beginPages(request: PageRequest): Promise<BegunPages> {
  const denied: AccessDeniedError[] = [];
  const begun: { readonly first: RangeAnswer; readonly rest: Pages }[] = [];
  let { revision } = request;
  for (const place of request.places) {
    try {
      const rest = pagesOf(request, place, revision);
      const next = await rest.next();
      if (next.done === true) continue;
      revision ??= next.value.revision;
      begun.push({ first: next.value, rest });
    } catch (error) {
      if (!(error instanceof AccessDeniedError)) throw error;
      denied.push(error);
    }
  }
  assertAllowed(denied);
  return { revision: revision ?? 0n, pages: take(begun, request) };
}

/** @throws {@link AccessDeniedError} for one denial as etcd told it, for several with all their rights. */
function assertAllowed(denied: readonly AccessDeniedError[]): void {
  const [first] = denied;
  if (first === undefined) return;
  if (denied.length === 1) throw first;
  const rights = denied.flatMap(({ details }) => (details['denied'] ?? []) as AccessRight[]);
  const names = rights.map(({ verb, resource }) => `${verb} ${resource}`);
  throw new AccessDeniedError(`access denied: ${names.join(', ')}`, {
    hint: first.hint,
    details: { ...first.details, denied: rights },
    cause: first,
  });
}

function pagesOf(
  { client, pageSize, signal }: PageRequest,
  place: string,
  revision: bigint | undefined,
): Pages {
  const options: RangeOptions = { revision, pageSize, signal };
  if (place.endsWith('/')) return client.range(place, options)[Symbol.asyncIterator]();
  return single(client.get(place, options));
}

async function* single(answer: Promise<RangeAnswer>): AsyncGenerator<RangeAnswer> {
  yield await answer;
}

async function* take(
  begun: readonly { readonly first: RangeAnswer; readonly rest: Pages }[],
  { revision, signal }: PageRequest,
): AsyncGenerator<readonly EtcdEntry[]> {
  try {
    for (const { first, rest } of begun) {
      signal?.throwIfAborted();
      yield first.entries;
      for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
        signal?.throwIfAborted();
        yield next.value.entries;
      }
    }
  } catch (error) {
    // Whoever asked for the newest revision can have a newer one.
    const isOutdated = error instanceof CompactedError && revision === undefined;
    throw isOutdated ? new StreamRestart(error) : error;
  } finally {
    for (const { rest } of begun) await rest.return?.();
  }
}
