import { InternalError } from '../errors/internal-error.ts';

/** Ends an exhaustive switch: a case that is added later without a branch does not compile. */
export function assertNever(value: never): never {
  throw new InternalError(`unexpected value ${String(value)}`);
}
