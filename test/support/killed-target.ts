/** A target whose writes end like a process that is killed. */
import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import type { ObjectStore } from '../../src/datastore/object-store.ts';
import { CancelledError } from '../../src/errors/cancelled-error.ts';
import type { ToolError } from '../../src/errors/tool-error.ts';

const KILLED = new CancelledError('killed', { signal: 'SIGTERM' });

/** How a target ends a run. */
export interface KillOptions {
  readonly isAnswerLost?: boolean | undefined;
  /** What ends it; a signal unless said otherwise. */
  readonly reason?: ToolError | undefined;
  /** Whether that ends the command as a whole, as a signal does, and not each write that is tried. */
  readonly endsCommand?: boolean | undefined;
}

/** A target that stands still after so many writes: the next one ends the run, before or after it took effect. */
export class KilledTarget {
  writes = 0;
  readonly abort = new AbortController();
  readonly target: WritableDatastore;
  readonly #most: number;
  readonly #isAnswerLost: boolean;
  readonly #reason: ToolError;
  readonly #endsCommand: boolean;

  constructor(
    inner: WritableDatastore,
    most: number,
    { isAnswerLost = false, reason = KILLED, endsCommand = true }: KillOptions = {},
  ) {
    this.#reason = reason;
    this.#endsCommand = endsCommand;
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
    if (this.#endsCommand) this.abort.abort(this.#reason);
    return this.#reason;
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
