/** Bytes of a body that are handed on at once. */
export const BATCH_BYTES = 128 * 1024;

/** Most that lie ready: those of a group of each of a few lists. */
const MOST_FREE = 32;

/** What was given out and has not come back. */
const lent = new WeakSet<ArrayBufferLike>();
const free: Buffer[] = [];

/**
 * Memory for a part of a body; what it held before is still in it. The system takes longer to give a process fresh memory
 * than it takes to fill it, and a large list needs a hundred times what is in use at once.
 */
export function takeBatch(): Buffer {
  const batch = free.pop() ?? Buffer.allocUnsafeSlow(BATCH_BYTES);
  lent.add(batch.buffer);
  return batch;
}

/**
 * Takes the memory of a part back. Only for whoever has copied the part and knows of nobody else who has it; of a part with
 * other memory nothing is taken.
 */
export function giveBack(part: Buffer): void {
  if (!lent.delete(part.buffer) || free.length === MOST_FREE) return;
  free.push(Buffer.from(part.buffer));
}
