import { ToolError } from './tool-error.ts';

/** Refused for safety: what was asked could harm something alive or another cluster. */
export class PreconditionError extends ToolError {
  override readonly code = 'REFUSED';
  protected override readonly exit = 'refused';
}
