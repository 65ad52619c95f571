/** How {@link mapLimit} runs. */
export interface MapLimitOptions {
  /** Calls at a time, 1 or more. */
  readonly limit: number;
  /** Once aborted, nothing new is started and the result is rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Maps items through an asynchronous function, a bounded number at a time; results stand in the order of the items.
 *
 * @remarks After the first failure, or an abort, nothing new is started; the promise settles once what runs has ended, so
 * that no call outlives it. The first error wins, later ones are dropped. Items are drawn as they are needed.
 * @throws RangeError when the limit is below 1; else whatever the function threw first, or the signal's reason.
 */
export async function mapLimit<T, R>(
  items: Iterable<T>,
  options: MapLimitOptions,
  map: (item: T, position: number) => Promise<R>,
): Promise<R[]> {
  const { limit, signal } = options;
  if (!(limit >= 1)) throw new RangeError(`limit must be 1 or more, not ${limit}`);
  const results: R[] = [];
  const source = items[Symbol.iterator]();
  let failure: { readonly error: unknown } | undefined;
  let drawn = 0;
  const work = async (): Promise<void> => {
    while (!failure) {
      try {
        signal?.throwIfAborted();
        const next = source.next();
        if (next.done) return;
        const position = drawn++;
        results[position] = await map(next.value, position);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  const workers: Promise<void>[] = [];
  // Workers start one by one: with few items no more of them are made than needed.
  for (let started = 0; started < limit; started++) {
    const before = drawn;
    workers.push(work());
    if (drawn === before) break;
  }
  await Promise.all(workers);
  if (failure) {
    // A generator that stands behind the items gets to close what it opened.
    source.return?.();
    throw failure.error;
  }
  return results;
}
