/** A piece of the file: text, or a part that was written before, from one of its bytes on. */
export type SnapshotPiece = string | { readonly part: string; readonly from: number };

/** How the file came out. */
export interface FinishedSnapshot {
  /** SHA-256 of the file as it is stored, in hexadecimal digits. */
  readonly sha256: string;
  readonly bytes: number;
}

/**
 * Where a snapshot goes. Its parts grow side by side, because lists come side by side, and a list that is cut starts its
 * part again; the file is put together at the end.
 */
export interface SnapshotTarget {
  /** Path of the file; `-` for standard output. */
  readonly file: string;
  /**
   * Adds to a part and waits until that is stored.
   * @throws {@link UsageError} when there is no room for it.
   */
  write(part: string, text: string): Promise<void>;
  /** Empties a part. */
  reset(part: string): Promise<void>;
  /**
   * Makes the file; what is there is replaced only by a whole one. Undefined when whoever reads standard output went away.
   * @throws {@link UsageError} when it cannot be written, and the reason of the signal when that ends the work.
   */
  finish(
    pieces: readonly SnapshotPiece[],
    signal: AbortSignal,
  ): Promise<FinishedSnapshot | undefined>;
}
