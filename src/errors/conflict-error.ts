import { ToolError } from './tool-error.ts';

/** The race was lost: the object changed again and again, or somebody else claimed it. */
export class ConflictError extends ToolError {
  override readonly code = 'CONFLICT';
  protected override readonly exit = 'conflict';
}
