import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';

const MIB = 2 ** 20;
/** Young generation, both halves, at which it stops growing. */
const YOUNG_BYTES = 16 * MIB;
/** Heap from which on it may grow by less before it is collected. */
const LARGE_BYTES = 96 * MIB;
/** Share of what is alive by which it may then grow, in percent; the engine's own choice is up to 300. */
const GROWTH_PERCENT = 30;
/** Work of the process after which the engine's best compiler earns more than it costs, in milliseconds of CPU. */
const LONG_MS = 2500;

const CHECK_MS = 25;

/** What is asked of the engine, and told to it. */
export interface TunedEngine {
  /** Size of the young generation. */
  youngBytes(): number;
  heapBytes(): number;
  /** CPU that the process has used, in milliseconds. */
  workedMs(): number;
  /** Sets a flag of V8 while it runs. */
  set(flag: string): void;
}

const V8: TunedEngine = {
  youngBytes: () =>
    getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0,
  heapBytes: () => getHeapStatistics().total_heap_size,
  workedMs: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
  // Called here, not taken: to load the module takes a while, which commands on snapshots can spare.
  set: (flag) => {
    setFlagsFromString(flag);
  },
};

/** A flag that is set once it is due. */
interface Step {
  readonly isDue: (engine: TunedEngine) => boolean;
  readonly flag: string;
  /** The engine's own choice. */
  readonly usual: string;
}

const STEPS: readonly Step[] = [
  { isDue: () => true, flag: '--no-opt', usual: '--opt' },
  { isDue: (engine) => engine.workedMs() >= LONG_MS, flag: '--opt', usual: '--opt' },
  {
    isDue: (engine) => engine.youngBytes() >= YOUNG_BYTES,
    flag: '--semi-space-growth-factor=1',
    usual: '--semi-space-growth-factor=2',
  },
  {
    isDue: (engine) => engine.heapBytes() >= LARGE_BYTES,
    flag: `--heap-growing-percent=${GROWTH_PERCENT}`,
    usual: '--heap-growing-percent=0',
  },
];

/** An engine that is tuned to lists. */
export interface Tuning {
  /** Runs an action with the flags as they were. */
  lift(action: () => Promise<void>): Promise<void>;
  /** Gives the flags their own values back. */
  end(): void;
}

/**
 * Keeps the process small and thrifty while lists run through it. Their pieces are garbage at once, outside of the heap, and
 * stay in memory until the young generation is full: with the 64 MiB that it may have that is a hundred MiB of nothing.
 * Smaller than 16 MiB it would pass on to the old one what is garbage a moment later. A small cluster is read before the
 * engine's best compiler, on threads of its own, has done more than use a fifth of the CPU.
 *
 * @remarks The engine has no call for any of it. The flags are read when they matter, and the options that do the same from
 * the start can only be given on Node's command line, which is not ours. Compiled code is good only under the flags under
 * which it was kept, so they have to be lifted before files are loaded or code is kept for the next run.
 */
export function tuneEngine(engine: TunedEngine = V8): Tuning {
  let end = beginTuning(engine);
  return {
    lift: async (action) => {
      end();
      await action();
      end = beginTuning(engine);
    },
    end: () => end(),
  };
}

/** @returns what ends it. */
function beginTuning(engine: TunedEngine): () => void {
  const open = new Set(STEPS);
  const done: Step[] = [];
  const look = (): void => {
    for (const step of open) {
      if (!step.isDue(engine)) continue;
      open.delete(step);
      done.push(step);
      engine.set(step.flag);
    }
    if (open.size === 0) clearInterval(timer);
  };
  const timer = setInterval(look, CHECK_MS);
  // It is no reason to stay.
  timer.unref();
  look();
  return () => {
    clearInterval(timer);
    for (const { usual } of done.splice(0)) engine.set(usual);
  };
}
