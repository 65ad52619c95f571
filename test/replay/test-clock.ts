import type { StageClock } from './stage.ts';

/** Sunday, 29 November 2026, noon. */
const START = Date.UTC(2026, 10, 29, 12);
const NANOSECONDS = 1_000_000n;

/** A clock that stands until somebody waits. Each look at its nanoseconds gives a new number all the same. */
export function testClock(): StageClock {
  let now = START;
  let looks = 0n;
  return {
    now: () => now,
    // Far enough apart that no block reaches the first number of the next one.
    nanoseconds: () => BigInt(now) * NANOSECONDS + ++looks * NANOSECONDS,
    async wait(seconds) {
      now += seconds * 1000;
    },
  };
}

/** Whether a time lies in the run of a scenario; those that scenarios put in are long past. */
export function isOfRun(milliseconds: number): boolean {
  return milliseconds >= Date.UTC(2025, 0);
}
