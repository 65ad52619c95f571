import { ToolError } from './tool-error.ts';

/** This datastore cannot do what was asked; the hint says what to run instead. */
export class UnsupportedError extends ToolError {
  override readonly code = 'UNSUPPORTED';
  protected override readonly exit = 'unsupported';
}
