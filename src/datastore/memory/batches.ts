import { setImmediate } from 'node:timers/promises';

/** Items per batch: enough to make batches cheap, few enough that an abort takes hold at once. */
const BATCH_SIZE = 500;

/** Hands items out in batches, each made when it is asked for. */
export async function* inBatches<T, R>(
  items: readonly T[],
  make: (item: T) => R | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly R[]> {
  for (let start = 0; start < items.length; start += BATCH_SIZE) {
    // Lets timers and signals through: a list that only yields microtasks could not be aborted.
    if (start > 0) await setImmediate();
    signal?.throwIfAborted();
    const batch: R[] = [];
    for (const item of items.slice(start, start + BATCH_SIZE)) {
      const made = make(item);
      if (made !== undefined) batch.push(made);
    }
    yield batch;
  }
}
