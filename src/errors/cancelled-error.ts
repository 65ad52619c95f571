import { ToolError, type ToolErrorOptions } from './tool-error.ts';

/** The user or the system ended the command; what was applied until then is still reported. */
export class CancelledError extends ToolError {
  override readonly code = 'CANCELLED';
  protected override readonly exit: 'interrupted' | 'terminated';

  constructor(
    message: string,
    options: ToolErrorOptions & { readonly signal: 'SIGINT' | 'SIGTERM' },
  ) {
    super(message, options);
    this.exit = options.signal === 'SIGTERM' ? 'terminated' : 'interrupted';
  }
}
