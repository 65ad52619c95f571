import { ToolError } from './tool-error.ts';

/** The connection is misconfigured; the message names where the wrong value came from. */
export class ConfigError extends ToolError {
  override readonly code = 'CONFIGURATION';
  protected override readonly exit = 'unavailable';
}
