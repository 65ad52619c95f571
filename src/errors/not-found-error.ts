import { ToolError } from './tool-error.ts';

/** The thing that was named does not exist. */
export class NotFoundError extends ToolError {
  override readonly code = 'NOT_FOUND';
  protected override readonly exit = 'notFound';
}
