import type { OperationContext } from './context.ts';

/** Least time between two texts, in milliseconds. */
const INTERVAL_MS = 200;

/** What is counted. */
export interface Counted {
  /** A phrase for the work, such as `importing IPPool`. */
  readonly what: string;
  /** How many there are in all; absent where nobody knows before the end. */
  readonly total?: number | undefined;
}

/**
 * Tells how far a long work is and how fast it goes, a few times a second.
 * @returns what to call whenever some more are done, one unless said otherwise.
 */
export function countProgress(
  { what, total }: Counted,
  { clock, progress }: Pick<OperationContext, 'clock' | 'progress'>,
): (more?: number) => void {
  const start = clock.now();
  let [done, told] = [0, 0];
  return (more = 1) => {
    done += more;
    const now = clock.now();
    if (now - told < INTERVAL_MS && done !== total) return;
    told = now;
    const rate = Math.round(done / Math.max((now - start) / 1000, 0.001));
    const speed = now > start ? `, ${rate} a second` : '';
    progress.count?.(`${what}: ${done}${total === undefined ? '' : ` of ${total}`}${speed}`);
  };
}
