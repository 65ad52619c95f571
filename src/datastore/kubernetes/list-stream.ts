import type { Revision } from '../../ipam/model/resource.ts';
import type { ListParser } from './list-parser.ts';
import { type ItemListing, type ListRequest, apiRequest, parserOf } from './list-request.ts';
import { retryAfter, sendRetrying } from './retry.ts';
import type { ResponseBody } from './response-body.ts';

/** A list that did not come: the server has no such kind, or it has to be asked for in pages, as also when it broke off. */
export type NoStream = 'missing' | 'paged' | 'cut';

/** Answers that say that a whole list is too much for the server now. */
const TOO_MUCH: ReadonlySet<number> = new Set([429, 504]);

/** Longest wait before the pages, whatever the server asks for. */
const LONGEST_WAIT_MS = 30_000;

/**
 * Lists a kind by one consistent unpaged request, whose answer is read as it comes.
 *
 * @remarks Without `limit` and without `resourceVersion` the server answers from its cache at one fresh revision; pages of
 * a large kind cost it several times as much.
 */
export async function openStream<T>(list: ListRequest<T>): Promise<ItemListing<T> | NoStream> {
  const request = apiRequest(list);
  const accepts = (status: number): boolean => status === 404 || TOO_MUCH.has(status);
  const response = await sendRetrying(list.transport, request, { accepts });
  if (response.status !== 200) {
    response.body.discard();
    if (response.status === 404) return 'missing';
    const wait = Math.min(retryAfter(response) ?? 0, LONGEST_WAIT_MS);
    if (wait > 0) await list.transport.ports.sleep(wait, list.signal);
    return 'paged';
  }
  const stream = new ListStream(list, parserOf(list, request, response), response.body);
  return (await stream.begin()) ? stream : 'cut';
}

/** A list whose response has begun. */
class ListStream<T> implements ItemListing<T> {
  readonly rows: AsyncIterable<readonly T[]>;
  readonly #list: ListRequest<T>;
  readonly #parser: ListParser<T>;
  readonly #groups: AsyncGenerator<Buffer[]>;
  /** Rows that came with the parts of the body that were read to learn the revision, and those of the last part. */
  readonly #first: T[][] = [];
  #pending: (() => T[]) | undefined;

  constructor(list: ListRequest<T>, parser: ListParser<T>, body: ResponseBody) {
    this.#list = list;
    this.#parser = parser;
    this.#groups = body.groups();
    this.rows = this.#read();
  }

  /** Known from the start for core kinds, whose metadata stand in front, and at the end of the rows for all others. */
  get revision(): Revision | undefined {
    return this.#parser.metadata?.resourceVersion as Revision | undefined;
  }

  /** Reads up to the revision where it stands in front; false when the body broke off. */
  async begin(): Promise<boolean> {
    if (this.#list.path.apiGroup !== '') return true;
    try {
      while (this.#parser.metadata === undefined) {
        const group = await this.#groups.next();
        if (this.#pending !== undefined) this.#first.push(this.#pending());
        this.#pending = undefined;
        if (group.done === true) {
          this.#end();
          return true;
        }
        this.#pending = this.#parser.push(group.value);
      }
      return true;
    } catch (error) {
      if (this.#list.signal?.aborted) throw error;
      await this.#groups.return(undefined);
      return false;
    }
  }

  /** @throws when the list is not whole. */
  #end(): void {
    // Something between the server and us has a limit of its own.
    if (this.#parser.end().continue !== undefined) throw new Error('it came in pages unasked');
  }

  async *#read(): AsyncGenerator<readonly T[]> {
    try {
      yield* this.#first.splice(0);
      if (this.#pending !== undefined) yield this.#pending();
      this.#pending = undefined;
      for await (const group of this.#groups) {
        const rows = this.#parser.push(group)();
        if (rows.length > 0) yield rows;
      }
      this.#end();
    } catch (error) {
      if (this.#list.signal?.aborted) throw error;
      throw this.#list.onCut(error);
    } finally {
      await this.#groups.return(undefined);
    }
    this.#list.onDone();
  }
}
