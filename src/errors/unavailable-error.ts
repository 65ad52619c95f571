import { ToolError } from './tool-error.ts';

/** The datastore cannot be reached, did not answer in time, or broke off its answer. */
export class UnavailableError extends ToolError {
  override readonly code = 'UNAVAILABLE';
  protected override readonly exit = 'unavailable';
}
