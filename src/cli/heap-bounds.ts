import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';

const MIB = 2 ** 20;
/** Young generation, both halves, at which it stops growing. */
const YOUNG_BYTES = 8 * MIB;
/** Heap from which on it may grow by less before it is collected. */
const LARGE_BYTES = 96 * MIB;
/** Share of what is alive by which it may then grow, in percent; the engine's own choice is up to 300. */
const GROWTH_PERCENT = 30;

const CHECK_MS = 10;

/** What is asked of the engine, and told to it. */
export interface HeapEngine {
  /** Size of the young generation. */
  youngBytes(): number;
  heapBytes(): number;
  /** Sets a flag of V8 while it runs. */
  set(flag: string): void;
}

const V8: HeapEngine = {
  youngBytes: () =>
    getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0,
  heapBytes: () => getHeapStatistics().total_heap_size,
  set: setFlagsFromString,
};

/**
 * Keeps the process small while lists run through it. Their pieces are garbage at once, outside of the heap, and stay in
 * memory until the young generation is full: with the 64 MiB that it may have that is a hundred MiB of nothing. Smaller
 * than 8 MiB it would pass on to the old one what is garbage a moment later.
 *
 * @remarks The engine has no call for either. Both flags are read at each collection, and the options that bound the heap
 * from the start can only be given on Node's command line, which is not ours.
 * @returns what stops watching.
 */
export function boundHeap(engine: HeapEngine = V8): () => void {
  const steps = [
    { isDue: () => engine.youngBytes() >= YOUNG_BYTES, flag: '--semi-space-growth-factor=1' },
    {
      isDue: () => engine.heapBytes() >= LARGE_BYTES,
      flag: `--heap-growing-percent=${GROWTH_PERCENT}`,
    },
  ];
  let open = steps;
  const timer = setInterval(() => {
    const due = open.filter(({ isDue }) => isDue());
    for (const { flag } of due) engine.set(flag);
    open = open.filter((step) => !due.includes(step));
    if (open.length === 0) clearInterval(timer);
  }, CHECK_MS);
  // It is no reason to stay.
  timer.unref();
  return () => clearInterval(timer);
}
