import { UnavailableError } from '../../errors/unavailable-error.ts';
import { StreamRestart } from '../datastore.ts';
import type { Discovery } from './discovery.ts';
import { openPages, PAGE_SIZE } from './list-pages.ts';
import type { ItemListing, ListRequest } from './list-request.ts';
import { openStream } from './list-stream.ts';
import { collectionPath } from './paths.ts';
import type { Transport } from './transport.ts';

/** How often a kind may start over before the server counts as unable to list it. */
const MAX_RESTARTS = 3;

/** How lists are asked for. */
export interface ListerParts {
  readonly transport: Transport;
  readonly discovery: Discovery;
  /** Items of a page; one unpaged stream when absent. */
  readonly pageSize?: number | undefined;
}

/** What is to be listed, by the name of its kind. */
export interface KindList<T> extends Omit<ListRequest<T>, 'transport' | 'onCut' | 'onDone'> {
  readonly kind: string;
}

/** Lists kinds of one API server, each as a stream where that works. Kinds that had to fall back to pages stay with them. */
export class KindLister {
  readonly #parts: ListerParts;
  readonly #paged = new Set<string>();
  readonly #restarts = new Map<string, number>();
  /** Paths of lists that have begun. */
  readonly #served = new Set<string>();

  constructor(parts: ListerParts) {
    this.#parts = parts;
  }

  /**
   * @returns `missing` when the server has no such kind. Streams that are cut throw a {@link StreamRestart}.
   * @throws {@link UnavailableError} when it has none any more, so that a list that was cut is not taken for a whole one.
   */
  async open<T>({ kind, ...list }: KindList<T>): Promise<ItemListing<T> | 'missing'> {
    const request: ListRequest<T> = {
      ...list,
      transport: this.#parts.transport,
      onCut: (cause) => this.#cut(kind, cause),
      onDone: () => void this.#restarts.delete(kind),
    };
    const listing = await this.#begin(kind, request);
    const path = collectionPath(list.path);
    if (listing !== 'missing') this.#served.add(path);
    else if (this.#served.has(path)) throw this.#gone(kind, path);
    return listing;
  }

  async #begin<T>(kind: string, request: ListRequest<T>): Promise<ItemListing<T> | 'missing'> {
    const { discovery, pageSize } = this.#parts;
    if (pageSize === undefined && discovery.streamsLists && !this.#paged.has(kind)) {
      const stream = await openStream(request);
      if (stream !== 'paged' && stream !== 'cut') return stream;
      if (stream === 'cut') this.#served.add(collectionPath(request.path));
      this.#paged.add(kind);
    }
    return openPages(request, pageSize ?? PAGE_SIZE);
  }

  #gone(kind: string, path: string): UnavailableError {
    const server = this.#parts.transport.access.displayServer;
    return new UnavailableError(
      `${server} has answered a list of ${kind} before, and now knows no such kind (GET ${path}: 404)`,
      { retryable: true, hint: 'try again when the server has started as a whole' },
    );
  }

  #cut(kind: string, cause: unknown): Error {
    const restarts = (this.#restarts.get(kind) ?? 0) + 1;
    this.#restarts.set(kind, restarts);
    this.#paged.add(kind);
    if (restarts <= MAX_RESTARTS) return new StreamRestart(cause);
    const server = this.#parts.transport.access.displayServer;
    return new UnavailableError(
      `the list of ${kind} from ${server} broke off ${String(restarts)} times`,
      {
        cause,
        hint: 'try again later, or with smaller pages by --page-size',
      },
    );
  }
}
