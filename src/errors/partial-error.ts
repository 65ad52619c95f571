import { ToolError } from './tool-error.ts';

/** Some items were done, others refused or failed; the document on stdout lists each. */
export class PartialError extends ToolError {
  override readonly code = 'PARTLY_APPLIED';
  protected override readonly exit = 'partial';
}
