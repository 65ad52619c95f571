/** Time of day and waiting, as a port: the core takes a moment as an argument instead. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after that many milliseconds, rejects with the signal's reason when it aborts first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}
