import { ToolError } from './tool-error.ts';

/** An input file or stored data cannot be read at all (damage in single rows is a finding). */
export class DataError extends ToolError {
  override readonly code = 'DATA';
  protected override readonly exit = 'data';
}
