import type { Ora } from 'ora';
import { printable } from '../render/printable.ts';
import type { Progress } from '../support/progress.ts';

/** A command that is done sooner shows no spinner, and does not load it. */
const PATIENCE_MS = 300;

/** Where progress goes and how much of it. */
export interface ProgressOptions {
  readonly stream: NodeJS.WriteStream;
  readonly quiet: boolean;
  readonly verbose: boolean;
}

/** Progress on stderr: a spinner on a terminal, lines under `--verbose` elsewhere, and warnings unless quiet. */
export class TerminalProgress implements Progress {
  readonly #options: ProgressOptions;
  #text = '';
  #timer: NodeJS.Timeout | undefined;
  #spinner: Ora | undefined;
  #isStopped = false;

  constructor(options: ProgressOptions) {
    this.#options = options;
  }

  step(text: string): void {
    const { stream, quiet, verbose } = this.#options;
    if (quiet || this.#isStopped) return;
    this.#text = printable(text);
    if (!stream.isTTY) {
      if (verbose) stream.write(`${this.#text}\n`);
      return;
    }
    // A terminal that nobody has given a size has no columns; ora would clear lines for ever.
    if (stream.columns === 0) return;
    if (this.#spinner) this.#spinner.text = this.#text;
    else this.#timer ??= setTimeout(() => this.#spinSoon(), PATIENCE_MS).unref();
  }

  count(text: string): void {
    if (this.#options.stream.isTTY) this.step(text);
  }

  warn(text: string): void {
    const { stream, quiet } = this.#options;
    if (quiet) return;
    this.#spinner?.clear();
    stream.write(`Warning: ${printable(text)}\n`);
    this.#spinner?.render();
  }

  /** Takes the spinner off the terminal; nothing is shown after that. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#spinner?.stop();
    this.#spinner = undefined;
  }

  /** Work goes on without a spinner where it cannot be shown. */
  #spinSoon(): void {
    this.#spin().catch(() => undefined);
  }

  async #spin(): Promise<void> {
    const { default: ora } = await import('ora');
    if (this.#isStopped) return;
    // The cursor stays visible and stdin untouched: whatever ends the process, the terminal is as it was.
    this.#spinner = ora({
      stream: this.#options.stream,
      text: this.#text,
      discardStdin: false,
      hideCursor: false,
    }).start();
  }
}
