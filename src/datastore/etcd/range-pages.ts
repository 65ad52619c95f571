import { AnswerTooLargeError } from './answer-too-large-error.ts';
import type { RangeAnswer, RangeOptions } from './etcd-client.ts';
import { keyAfter, prefixEnd, type RangeRequest, type RangeResponse } from './messages.ts';

const DEFAULT_PAGE_SIZE = 500;

/** Sends one range request. @throws {@link AnswerTooLargeError} when the answer is larger than a message may be. */
export type FetchRange = (request: RangeRequest, signal: AbortSignal) => Promise<RangeResponse>;

/**
 * All entries with a prefix, page by page, at one revision; the next page is fetched while the caller looks at one. A page
 * that is larger than a message may be is asked for again with half of its entries, as are those after it.
 */
export async function* rangePages(
  prefix: string,
  options: RangeOptions,
  fetch: FetchRange,
): AsyncGenerator<RangeAnswer, void, undefined> {
  const pages = new Pages(prefix, options, fetch);
  try {
    for (;;) {
      const answer = await pages.take();
      yield answer;
      if (pages.isAtEnd()) return;
    }
  } finally {
    pages.stop();
  }
}

class Pages {
  readonly #prefix: string;
  readonly #fetch: FetchRange;
  readonly #stopped = new AbortController();
  readonly #signal: AbortSignal;
  #limit: number;
  #revision: bigint | undefined;
  #next: Promise<RangeResponse> | undefined;

  constructor(prefix: string, options: RangeOptions, fetch: FetchRange) {
    const { revision, pageSize = DEFAULT_PAGE_SIZE, signal } = options;
    this.#prefix = prefix;
    this.#fetch = fetch;
    this.#limit = Math.max(1, pageSize);
    this.#revision = revision;
    this.#signal = signal ? AbortSignal.any([signal, this.#stopped.signal]) : this.#stopped.signal;
    // etcd has no empty key; a zero byte alone means the first key there is.
    this.#go(prefix === '' ? Buffer.from([0]) : Buffer.from(prefix, 'utf8'));
  }

  async take(): Promise<RangeAnswer> {
    const page = await this.#next;
    if (page === undefined) throw new RangeError('there is no further page');
    this.#revision ??= page.revision;
    this.#next = undefined;
    if (page.more && page.lastKey !== undefined) this.#go(keyAfter(page.lastKey));
    return { entries: page.entries, revision: this.#revision };
  }

  isAtEnd(): boolean {
    return this.#next === undefined;
  }

  stop(): void {
    this.#stopped.abort();
  }

  #go(from: Buffer): void {
    this.#next = this.#page(from);
    // Whoever takes it sees the failure; until then it must not count as unhandled.
    this.#next.catch(() => undefined);
  }

  async #page(key: Buffer): Promise<RangeResponse> {
    const end = prefixEnd(this.#prefix);
    for (;;) {
      const request = { key, end, limit: this.#limit, revision: this.#revision };
      try {
        return await this.#fetch(request, this.#signal);
      } catch (error) {
        if (!(error instanceof AnswerTooLargeError) || this.#limit === 1) throw error;
        this.#limit = Math.ceil(this.#limit / 2);
      }
    }
  }
}
