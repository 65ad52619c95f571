import { setTimeout } from 'node:timers/promises';
import { UsageError } from '../errors/usage-error.ts';
import type { Clock } from '../support/clock.ts';
import { parseTime } from '../support/time.ts';

/**
 * The system's clock, or one that stands at `IPAMCTL_NOW`; waiting is real either way.
 * @throws {@link UsageError} when the variable holds no RFC 3339 time.
 */
export function openClock(env: Readonly<Record<string, string | undefined>>): Clock {
  const text = env['IPAMCTL_NOW'];
  if (text === undefined || text === '') return { now: () => Date.now(), sleep };
  const fixed = parseTime(text);
  if (fixed === undefined) {
    throw new UsageError(`environment variable IPAMCTL_NOW: "${text}" is no RFC 3339 time`, {
      hint: 'write it as 2026-01-31T12:00:00Z',
    });
  }
  return { now: () => fixed, sleep };
}

async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  try {
    await setTimeout(milliseconds, undefined, signal ? { signal } : {});
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw error;
  }
}
