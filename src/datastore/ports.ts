import { setTimeout as delay } from 'node:timers/promises';

/** Time and chance as a backend needs them; tests put their own in. */
export interface Ports {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after that many milliseconds, rejects with the signal's reason when it aborts first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** From 0 up to, but not, 1. */
  random(): number;
}

/** The real ones. */
export const SYSTEM_PORTS: Ports = {
  now: () => Date.now(),
  async sleep(milliseconds, signal) {
    try {
      await delay(milliseconds, undefined, { signal });
    } catch (error) {
      throw signal?.aborted ? signal.reason : error;
    }
  },
  random: () => Math.random(),
};
