import { ToolError } from './tool-error.ts';

/** A row that was to be created is there already: somebody else was faster, or it was there all along. */
export class AlreadyExistsError extends ToolError {
  override readonly code = 'ALREADY_EXISTS';
  protected override readonly exit = 'conflict';
}
