import { ToolError } from './tool-error.ts';

/** Not authenticated or not allowed; `details.denied` lists verb and resource of everything that is missing. */
export class AccessDeniedError extends ToolError {
  override readonly code = 'ACCESS_DENIED';
  protected override readonly exit = 'denied';
}
