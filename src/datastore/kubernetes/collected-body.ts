import { Readable } from 'node:stream';
import { BATCH_BYTES, takeBatch } from './batch-memory.ts';

/** Longest that a part of it is held back, which is nothing beside the silence after which a server counts as hung. */
const HOLD_MS = 50;

/** Where a body comes from. */
export interface BodySource {
  /** More is wanted. */
  resume(): void;
  /** Nobody wants the rest of a body that has not come to its end. */
  giveUp(): void;
}

/** The body of an answer, put together of small pieces. */
export class CollectedBody extends Readable {
  /** Undefined once the body is whole, since the source goes on to another one. */
  #source: BodySource | undefined;
  #batch: Buffer | undefined;
  #filled = 0;
  #isFull = false;
  /** Hands on what came slowly, which would otherwise go by the 4 KB. */
  #clock: NodeJS.Timeout | undefined;

  constructor(source: BodySource) {
    super({ highWaterMark: BATCH_BYTES });
    this.#source = source;
    // An answer can break off before anybody has begun to read it, who will be told all the same.
    this.on('error', () => undefined);
  }

  get wantsMore(): boolean {
    return !this.#isFull;
  }

  /** Takes a copy of the bytes between two positions. */
  add(bytes: Buffer, from: number, to: number): void {
    for (let at = from; at < to;) {
      this.#batch ??= this.#newBatch();
      const copied = bytes.copy(this.#batch, this.#filled, at, to);
      at += copied;
      this.#filled += copied;
      if (this.#filled === BATCH_BYTES) this.#handOn();
    }
  }

  /** The body is whole. */
  finish(): void {
    this.#source = undefined;
    clearInterval(this.#clock);
    this.#handOn();
    this.push(null);
  }

  override _read(): void {
    this.#isFull = false;
    this.#source?.resume();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#batch = undefined;
    clearInterval(this.#clock);
    this.#source?.giveUp();
    this.#source = undefined;
    callback(error);
  }

  #newBatch(): Buffer {
    if (this.#clock === undefined) {
      // The begin is waited for, since it tells the revision.
      setImmediate(() => this.#handOn());
      this.#clock = setInterval(() => this.#handOn(), HOLD_MS);
    }
    return takeBatch();
  }

  #handOn(): void {
    const batch = this.#batch;
    if (batch === undefined) return;
    const filled = this.#filled;
    this.#batch = undefined;
    this.#filled = 0;
    this.#isFull = !this.push(batch.subarray(0, filled));
  }
}
