import { UnavailableError } from '../../errors/unavailable-error.ts';
import { alreadyExists, conflict, notFound, type WrittenName } from '../row-errors.ts';
import type { EtcdClient, EtcdEntry, WriteAnswer } from './etcd-client.ts';

type Signal = AbortSignal | undefined;

/** A value to write. */
export interface EntryWrite {
  /** What the entry is, for messages. */
  readonly name: WrittenName;
  readonly path: string;
  readonly text: string;
  readonly signal: Signal;
}

/** An entry as it was read. */
export interface EntryVersion {
  readonly name: WrittenName;
  readonly path: string;
  readonly modRevision: bigint;
  readonly signal: Signal;
}

/**
 * Conditional writes of single entries. When the answer to one is lost, the entry is read to see what became of it.
 */
export class EntryWriter {
  readonly #client: EtcdClient;

  constructor(client: EtcdClient) {
    this.#client = client;
  }

  /**
   * Puts an entry that is not there.
   * @param isLeftover Tells an entry that stands in the way only because nobody finished removing it; it is replaced in one
   * step.
   * @returns its mod revision.
   * @throws {@link AlreadyExistsError}
   */
  async create(write: EntryWrite, isLeftover: (entry: EtcdEntry) => boolean): Promise<bigint> {
    const { name, path, text, signal } = write;
    const answer = await this.#settled(
      path,
      () => this.#client.create(path, text, { signal }),
      (found) => (found === undefined ? undefined : putAnswer(found, text)),
    );
    if (answer.done) return answer.revision;
    if (answer.current === undefined || !isLeftover(answer.current)) throw alreadyExists(name);
    return this.replace({ ...write, modRevision: answer.current.modRevision });
  }

  /**
   * Puts an entry as it was read.
   * @returns its new mod revision.
   * @throws {@link ConflictError} @throws {@link NotFoundError}
   */
  async replace(write: EntryWrite & EntryVersion): Promise<bigint> {
    const { name, path, text, modRevision, signal } = write;
    const answer = await this.#settled(
      path,
      () => this.#client.replace(path, text, { modRevision, signal }),
      (found) => (found?.modRevision === modRevision ? undefined : putAnswer(found, text)),
    );
    if (answer.done) return answer.revision;
    throw answer.current === undefined ? notFound(name) : conflict(name);
  }

  /** Deletes an entry as it was read. @throws {@link ConflictError} @throws {@link NotFoundError} */
  async remove({ name, path, modRevision, signal }: EntryVersion): Promise<void> {
    const answer = await this.#settled(
      path,
      () => this.#client.remove(path, { modRevision, signal }),
      (found) => {
        if (found?.modRevision === modRevision) return undefined;
        // What was read is gone even if the key was put again since.
        const isGone = found === undefined || found.createRevision > modRevision;
        return isGone ? { done: true, revision: modRevision } : { done: false, current: found };
      },
    );
    if (!answer.done) throw answer.current === undefined ? notFound(name) : conflict(name);
  }

  /**
   * Sends a write, and when its answer is lost asks what is there now.
   * @param judge Makes the answer of what was found; undefined when the write had no effect.
   */
  async #settled(
    path: string,
    send: () => Promise<WriteAnswer>,
    judge: (found: EtcdEntry | undefined) => WriteAnswer | undefined,
  ): Promise<WriteAnswer> {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof UnavailableError) || !error.retryable) throw error;
      const [found] = (await this.#client.get(path)).entries;
      const answer = judge(found);
      if (answer === undefined) throw error;
      return answer;
    }
  }
}

/** The answer that a put has got, as far as what is there now tells. */
function putAnswer(found: EtcdEntry | undefined, text: string): WriteAnswer {
  return found?.value === text
    ? { done: true, revision: found.modRevision }
    : { done: false, current: found };
}
