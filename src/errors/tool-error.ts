import { EXIT_STATUSES, type ExitName } from './exit-status.ts';

/** Facts of an error beside its text. Values must survive JSON; bigint is allowed. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/** What an error may carry beside its message. */
export interface ToolErrorOptions {
  /** What to run or look at next; one sentence without a final newline. */
  readonly hint?: string | undefined;
  readonly details?: ErrorDetails | undefined;
  readonly cause?: unknown;
  /** True when the same request may succeed a moment later. */
  readonly retryable?: boolean | undefined;
}

/**
 * Base of every error that a user sees: the thing asked for cannot be done. The message names the object and holds no markup.
 * Damage in the data is never an error but a finding.
 */
export abstract class ToolError extends Error {
  /** Stable upper-snake identifier for scripts. */
  abstract readonly code: string;
  protected abstract readonly exit: ExitName;
  readonly hint: string | undefined;
  readonly details: ErrorDetails;
  readonly retryable: boolean;

  constructor(message: string, options: ToolErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.hint = options.hint;
    this.details = options.details ?? {};
    this.retryable = options.retryable ?? false;
  }

  /** The same error with one more way out behind its hint. */
  withWayOut(text: string): this {
    const hint = this.hint === undefined ? text : `${this.hint}; ${text}`;
    const copy: this = Object.create(
      Object.getPrototypeOf(this) as object,
      Object.getOwnPropertyDescriptors(this),
    ) as this;
    return Object.defineProperty(copy, 'hint', { value: hint, enumerable: true });
  }

  /** Exit status of the process, from {@link EXIT_STATUSES}. */
  get status(): number {
    return EXIT_STATUSES[this.exit].status;
  }
}
