import { InternalError } from '../errors/internal-error.ts';

/**
 * Signals of calls to a datastore, each together with that of the connection. Most runs have one signal and many calls,
 * so the two are joined once.
 */
export class CallSignals {
  readonly #connection: AbortSignal | undefined;
  readonly #joined = new WeakMap<AbortSignal, AbortSignal>();
  #isClosed = false;

  /** @param connection Ends everything that the connection does. */
  constructor(connection: AbortSignal | undefined) {
    this.#connection = connection;
  }

  /**
   * What ends a call with this signal.
   * @throws {@link InternalError} when the datastore is closed, the reason of a signal that has aborted.
   */
  of(signal: AbortSignal | undefined): AbortSignal | undefined {
    if (this.#isClosed) throw new InternalError('the datastore was used after it had been closed');
    const joined = this.#join(signal);
    joined?.throwIfAborted();
    return joined;
  }

  /** Refuses every later call. */
  close(): void {
    this.#isClosed = true;
  }

  #join(signal: AbortSignal | undefined): AbortSignal | undefined {
    const connection = this.#connection;
    if (signal === undefined || connection === undefined) return signal ?? connection;
    const known = this.#joined.get(signal) ?? AbortSignal.any([connection, signal]);
    this.#joined.set(signal, known);
    return known;
  }
}
