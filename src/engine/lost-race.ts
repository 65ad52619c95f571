import { AlreadyExistsError } from '../errors/already-exists-error.ts';
import { ConflictError } from '../errors/conflict-error.ts';
import { DataError } from '../errors/data-error.ts';
import { EngineError } from '../errors/engine-error.ts';
import { NotFoundError } from '../errors/not-found-error.ts';
import { RETRIES } from './engine-context.ts';

/** Whether somebody else changed the row in between: reading it again may help. */
export function isConflict(error: unknown): boolean {
  return error instanceof ConflictError;
}

/** Whether a row was made, changed or removed in between. */
export function isLostRace(error: unknown): boolean {
  return (
    error instanceof ConflictError ||
    error instanceof AlreadyExistsError ||
    error instanceof NotFoundError
  );
}

/** Whether the row, or the thing that was asked for, is not there. */
export function isNotFound(error: unknown): boolean {
  return (
    error instanceof NotFoundError ||
    (error instanceof EngineError && error.category === 'not-found')
  );
}

/** Whether an error is about the rows at hand, so that other rows may do; else the datastore itself cannot be used. */
export function isAboutRows(error: unknown): boolean {
  return error instanceof EngineError || error instanceof DataError || isLostRace(error);
}

/** The error after all tries were used. */
export function outOfTries(what: string): EngineError {
  return new EngineError('max-retries', `${what}: the rows changed ${RETRIES} times in between`, {
    retryable: true,
  });
}

/**
 * Runs a step again and again while it loses races, at most {@link RETRIES} times.
 *
 * @throws whatever else the step throws; {@link EngineError} `max-retries`
 */
export async function withRetries<T>(what: string, step: () => Promise<T>): Promise<T> {
  for (let attempt = 1; attempt <= RETRIES; attempt++) {
    try {
      return await step();
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
  throw outOfTries(what);
}
