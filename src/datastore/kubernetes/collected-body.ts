import { Readable } from 'node:stream';

/** Body that is handed on at once. */
const BATCH_BYTES = 128 * 1024;

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

  constructor(source: BodySource) {
    super({ highWaterMark: BATCH_BYTES });
    this.#source = source;
    // An answer can break off before anybody has begun to read it, who will be told all the same.
    this.on('error', () => undefined);
  }

  get wantsMore(): boolean {
    return !this.#isFull;
  }

  /** Takes a copy of a piece. */
  add(piece: Buffer): void {
    let at = 0;
    while (at < piece.length) {
      this.#batch ??= this.#newBatch();
      const copied = piece.copy(this.#batch, this.#filled, at);
      this.#filled += copied;
      at += copied;
      if (this.#filled === BATCH_BYTES) this.#handOn();
    }
  }

  /** The body is whole. */
  finish(): void {
    this.#source = undefined;
    this.#handOn();
    this.push(null);
  }

  override _read(): void {
    this.#isFull = false;
    this.#source?.resume();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#batch = undefined;
    this.#source?.giveUp();
    this.#source = undefined;
    callback(error);
  }

  #newBatch(): Buffer {
    // What comes in one turn of the event loop goes on together.
    setImmediate(() => this.#handOn());
    return Buffer.allocUnsafeSlow(BATCH_BYTES);
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
