/** An etcd in memory behind the interface of the client, with its history: for what a real one cannot be made to do. */
import { UnavailableError } from '../../src/errors/unavailable-error.ts';
import { CompactedError } from '../../src/datastore/etcd/compacted-error.ts';
import type {
  EtcdClient,
  EtcdEntry,
  RangeAnswer,
  RangeOptions,
  ReadOptions,
  WriteAnswer,
} from '../../src/datastore/etcd/etcd-client.ts';

/** What may happen to a write: its answer is lost after it took effect, or it never arrives. */
export type WriteFault = 'answer-lost' | 'never-sent';

/** Keys with all their versions. */
export class MemoryEtcd implements EtcdClient {
  readonly displayEndpoints = 'http://etcd.test:2379';
  /** Requests in order, such as `range /calico/ipam/v2/handle/ at 7`. */
  readonly requests: string[] = [];
  /** Called before a request is answered: the place to change state, or to throw. */
  onRequest: (request: string) => void = () => undefined;
  /** Faults of the writes to come, the next one first. */
  readonly faults: WriteFault[] = [];
  /** Revision before which nothing is known any more. */
  compacted = 0n;
  isClosed = false;
  readonly #history = new Map<string, { at: bigint; entry: EtcdEntry | undefined }[]>();
  #revision = 1n;

  /** Puts a key, as another client would. */
  put(key: string, value: string | undefined): void {
    this.#store(key, value);
  }

  /** Deletes a key, as another client would. */
  drop(key: string): void {
    this.#history.get(key)?.push({ at: ++this.#revision, entry: undefined });
  }

  /** The value of a key now. */
  text(key: string): string | undefined {
    return this.#at(key, this.#revision)?.value;
  }

  get(key: string, { revision }: ReadOptions = {}): Promise<RangeAnswer> {
    return this.#answer(`get ${key}${atText(revision)}`, () => {
      const at = this.#readable(revision);
      const entry = this.#at(key, at);
      return { entries: entry ? [entry] : [], revision: at };
    });
  }

  async *range(
    prefix: string,
    { revision, pageSize = 500, signal }: RangeOptions = {},
  ): AsyncGenerator<RangeAnswer> {
    let at = revision;
    for (let start = 0; ; start += pageSize) {
      signal?.throwIfAborted();
      const page = await this.#answer(`range ${prefix}${atText(at)}`, () => {
        const read = this.#readable(at);
        const keys = [...this.#history.keys()].filter((key) => key.startsWith(prefix)).sort();
        const entries = keys.flatMap((key) => this.#at(key, read) ?? []);
        return { entries, revision: read };
      });
      at = page.revision;
      yield { entries: page.entries.slice(start, start + pageSize), revision: at };
      if (start + pageSize >= page.entries.length) return;
    }
  }

  create(key: string, value: string): Promise<WriteAnswer> {
    return this.#write(`create ${key}`, () => {
      const current = this.#at(key, this.#revision);
      return current ? { done: false, current } : this.#done(key, value);
    });
  }

  replace(
    key: string,
    value: string,
    { modRevision }: { readonly modRevision: bigint },
  ): Promise<WriteAnswer> {
    return this.#write(`replace ${key}`, () => {
      const current = this.#at(key, this.#revision);
      return current?.modRevision === modRevision
        ? this.#done(key, value)
        : { done: false, current };
    });
  }

  remove(key: string, { modRevision }: { readonly modRevision: bigint }): Promise<WriteAnswer> {
    return this.#write(`remove ${key}`, () => {
      const current = this.#at(key, this.#revision);
      if (current?.modRevision !== modRevision) return { done: false, current };
      this.drop(key);
      return { done: true, revision: this.#revision };
    });
  }

  revision(): Promise<bigint> {
    return this.#answer('revision', () => this.#revision);
  }

  close(): void {
    this.isClosed = true;
  }

  #done(key: string, value: string): WriteAnswer {
    this.#store(key, value);
    return { done: true, revision: this.#revision };
  }

  #store(key: string, value: string | undefined): void {
    const createRevision = this.#at(key, this.#revision)?.createRevision ?? this.#revision + 1n;
    const modRevision = ++this.#revision;
    const versions = this.#history.get(key) ?? [];
    versions.push({ at: modRevision, entry: { key, value, modRevision, createRevision } });
    this.#history.set(key, versions);
  }

  #at(key: string, revision: bigint): EtcdEntry | undefined {
    return this.#history.get(key)?.findLast(({ at }) => at <= revision)?.entry;
  }

  #readable(revision: bigint | undefined): bigint {
    if (revision !== undefined && revision < this.compacted)
      throw new CompactedError(revision, undefined);
    return revision ?? this.#revision;
  }

  async #write(request: string, act: () => WriteAnswer): Promise<WriteAnswer> {
    const fault = this.faults.shift();
    const lost = new UnavailableError('the answer was lost', { retryable: true });
    if (fault === 'never-sent') throw lost;
    const answer = await this.#answer(request, act);
    if (fault === 'answer-lost') throw lost;
    return answer;
  }

  async #answer<T>(request: string, act: () => T): Promise<T> {
    await Promise.resolve();
    this.requests.push(request);
    this.onRequest(request);
    return act();
  }
}

function atText(revision: bigint | undefined): string {
  return revision === undefined ? '' : ` at ${revision}`;
}
