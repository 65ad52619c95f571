import { UnavailableError } from '../../errors/unavailable-error.ts';
import { StreamRestart } from '../datastore.ts';
import type { Discovery } from './discovery.ts';
import { openPages, PAGE_SIZE } from './list-pages.ts';
import type { ItemListing, ListRequest } from './list-request.ts';
import { openStream } from './list-stream.ts';
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

  constructor(parts: ListerParts) {
    this.#parts = parts;
  }

  /** @returns `missing` when the server has no such kind. Streams that are cut throw a {@link StreamRestart}. */
  async open<T>({ kind, ...list }: KindList<T>): Promise<ItemListing<T> | 'missing'> {
    const { transport, discovery, pageSize } = this.#parts;
    const request: ListRequest<T> = {
      ...list,
      transport,
      onCut: (cause) => this.#cut(kind, cause),
      onDone: () => void this.#restarts.delete(kind),
    };
    if (pageSize === undefined && discovery.streamsLists && !this.#paged.has(kind)) {
      const stream = await openStream(request);
      if (stream !== 'paged') return stream;
      this.#paged.add(kind);
    }
    return openPages(request, pageSize ?? PAGE_SIZE);
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
