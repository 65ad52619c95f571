import { ToolError } from './tool-error.ts';

/** A bug of ipamctl: an assumption of the code does not hold. */
export class InternalError extends ToolError {
  override readonly code = 'INTERNAL';
  protected override readonly exit = 'internal';
}
