import { ToolError } from './tool-error.ts';

/** Misuse: a bad flag, value or combination, or an output path that cannot be written. */
export class UsageError extends ToolError {
  override readonly code = 'USAGE';
  protected override readonly exit = 'usage';
}
