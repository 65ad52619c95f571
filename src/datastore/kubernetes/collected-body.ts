import { Readable } from 'node:stream';

/** Body that is handed on at once. */
const BATCH_BYTES = 128 * 1024;
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
  #hasBegun = false;
  #timer: NodeJS.Timeout | undefined;

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
    clearTimeout(this.#timer);
    this.#source?.giveUp();
    this.#source = undefined;
    callback(error);
  }

  #newBatch(): Buffer {
    // The begin is waited for: it tells the revision. Later a server that is slow would have every 4 KB handed on alone.
    if (this.#hasBegun) this.#timer = setTimeout(() => this.#handOn(), HOLD_MS);
    else setImmediate(() => this.#handOn());
    this.#hasBegun = true;
    return Buffer.allocUnsafeSlow(BATCH_BYTES);
  }

  #handOn(): void {
    clearTimeout(this.#timer);
    const batch = this.#batch;
    if (batch === undefined) return;
    const filled = this.#filled;
    this.#batch = undefined;
    this.#filled = 0;
    this.#isFull = !this.push(batch.subarray(0, filled));
  }
}
