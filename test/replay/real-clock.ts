import { setTimeout as sleep } from 'node:timers/promises';
import type { StageClock } from './stage.ts';

const NANOSECONDS = 1_000_000n;

/** The time of day; each look at its nanoseconds gives a later number than the one before. */
export function realClock(): StageClock {
  let last = 0n;
  return {
    now: () => Date.now(),
    nanoseconds() {
      const now = BigInt(Date.now()) * NANOSECONDS;
      last = now > last ? now : last + NANOSECONDS;
      return last;
    },
    wait: (seconds) => sleep(seconds * 1000),
  };
}
