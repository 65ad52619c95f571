import { AlreadyExistsError } from '../errors/already-exists-error.ts';
import { ConflictError } from '../errors/conflict-error.ts';
import { NotFoundError } from '../errors/not-found-error.ts';
import type { OperationContext } from './context.ts';

/** How often a write is planned anew because its row had changed. */
const ATTEMPTS = 30;

/** Longest wait between two attempts, in milliseconds. */
const LONGEST_WAIT_MS = 500;

/**
 * Runs a step that reads, judges and writes one row, and runs it again while somebody else changes the row in between.
 * @param step Gets the number of the attempt, from 1; a later one must read the row anew.
 * @throws {@link ConflictError} when the race is lost every time; anything else that the step throws.
 */
export async function withRetries<T>(
  context: OperationContext,
  step: (attempt: number) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      context.signal.throwIfAborted();
      return await step(attempt);
    } catch (error) {
      if (!isLostRace(error)) throw error;
      if (attempt === ATTEMPTS) throw lostForGood(error);
    }
    await context.clock.sleep(Math.min(LONGEST_WAIT_MS, 2 ** attempt), context.signal);
  }
}

function isLostRace(error: unknown): error is Error {
  return (
    error instanceof ConflictError ||
    error instanceof NotFoundError ||
    error instanceof AlreadyExistsError
  );
}

function lostForGood(error: Error): ConflictError {
  if (error instanceof ConflictError) return error;
  return new ConflictError(`the row changed at each of ${ATTEMPTS} attempts: ${error.message}`, {
    cause: error,
  });
}
