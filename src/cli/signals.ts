import { CancelledError } from '../errors/cancelled-error.ts';
import { UnavailableError } from '../errors/unavailable-error.ts';

/** A signal that aborts when the user, the system or the time limit ends the command. */
export interface Cancellation {
  readonly signal: AbortSignal;
  /** Stops listening; without it the process would not end while a time limit runs. */
  readonly release: () => void;
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Listens for SIGINT and SIGTERM, and for the end of a time limit in milliseconds; 0 is none, as for kubectl. The reason of
 * the abort is the error to report. A second signal ends the process as if nobody listened.
 */
export function openCancellation(timeoutMs: number | undefined): Cancellation {
  const controller = new AbortController();
  const onSignal = (name: NodeJS.Signals): void => {
    release();
    controller.abort(
      new CancelledError(`stopped by ${name}`, {
        signal: name === 'SIGTERM' ? 'SIGTERM' : 'SIGINT',
      }),
    );
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  const timer = timeoutMs ? setTimeout(onTimeout, timeoutMs) : undefined;

  function onTimeout(): void {
    controller.abort(
      new UnavailableError(`not done within ${(timeoutMs ?? 0) / 1000} seconds`, {
        hint: 'raise --timeout, or look at the datastore',
        retryable: true,
      }),
    );
  }

  function release(): void {
    clearTimeout(timer);
    for (const name of SIGNALS) process.off(name, onSignal);
  }

  return { signal: controller.signal, release };
}
