import { giveBack } from './batch-memory.ts';

/** Room for a group of pieces and what is left of the one before. */
const ROOM_BYTES = 1024 * 1024;

/**
 * One stretch of memory in which the pieces of a body are put together, again and again. A fresh buffer for each group
 * would make the collector go through all that is kept, some hundred times in a large list.
 */
export class Scratch {
  #room: Buffer = Buffer.alloc(0);
  #bytes: Buffer = this.#room;
  #from = 0;

  /** Number of bytes that {@link keepFrom} kept. */
  get kept(): number {
    return this.#bytes.length - this.#from;
  }

  /** What was kept and then the pieces, which are given back once they are copied; good until the next call. */
  append(pieces: readonly Buffer[]): Buffer {
    const tail = this.#bytes.subarray(this.#from);
    this.#from = 0;
    const [only] = pieces;
    // A page comes whole, and has its memory already.
    if (tail.length === 0 && pieces.length === 1 && only !== undefined) return (this.#bytes = only);
    const length = pieces.reduce((sum, piece) => sum + piece.length, tail.length);
    if (this.#room.length < length)
      this.#room = Buffer.allocUnsafeSlow(Math.max(ROOM_BYTES, 2 * length));
    let position = tail.copy(this.#room);
    for (const piece of pieces) {
      position += piece.copy(this.#room, position);
      giveBack(piece);
    }
    return (this.#bytes = this.#room.subarray(0, length));
  }

  /** Keeps the bytes of the last answer from a position on, in front of what comes next. */
  keepFrom(position: number): void {
    this.#from = position;
  }
}
