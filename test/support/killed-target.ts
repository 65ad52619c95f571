/** A target whose writes end like a process that is killed. */
import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import type { ObjectStore } from '../../src/datastore/object-store.ts';
import { CancelledError } from '../../src/errors/cancelled-error.ts';

/** A target that stands still after so many writes: the next one ends the run, before or after it took effect. */
export class KilledTarget {
  writes = 0;
  readonly abort = new AbortController();
  readonly target: WritableDatastore;
  readonly #most: number;
  readonly #isAnswerLost: boolean;

  constructor(inner: WritableDatastore, most: number, { isAnswerLost = false } = {}) {
    this.#most = most;
    this.#isAnswerLost = isAnswerLost;
    const store = inner.objects as ObjectStore;
    const objects = counting(store, (write) => this.#counted(write));
    this.target = counting(inner, (write) => this.#counted(write), { objects });
  }

  async #counted<T>(write: () => Promise<T>): Promise<T> {
    this.abort.signal.throwIfAborted();
    if (this.writes === this.#most && !this.#isAnswerLost) throw this.#kill();
    this.writes++;
    const result = await write();
    if (this.writes > this.#most) throw this.#kill();
    return result;
  }

  #kill(): Error {
    const killed = new CancelledError('killed', { signal: 'SIGTERM' } as never);
    this.abort.abort(killed);
    return killed;
  }
}

const WRITES: ReadonlySet<string | symbol> = new Set(['create', 'update', 'remove']);

/** The same object with its writes counted. */
function counting<T extends object>(
  inner: T,
  counted: (write: () => Promise<unknown>) => Promise<unknown>,
  instead: Readonly<Record<string, unknown>> = {},
): T {
  return new Proxy(inner, {
    get(of, name): unknown {
      if (typeof name === 'string' && name in instead) return instead[name];
      const member: unknown = Reflect.get(of, name, of);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        const call = (): unknown => Reflect.apply(member, of, args);
        return WRITES.has(name) ? counted(call as () => Promise<unknown>) : call();
      };
    },
  });
}
