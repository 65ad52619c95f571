import type { Outcome } from '../operations/outcome.ts';
import type { View } from '../render/view.ts';
import { BaseCommand } from './base-command.ts';
import { statusOf, textFor, write } from './emit.ts';
import type { CommonFlags, OutputFlags } from './flags.ts';
import { reportError } from './report-error.ts';

/** What commands share whose result may take standard output for itself. */
export abstract class ExportingCommand extends BaseCommand {
  /** Prints the document on stderr, unless quiet, and sets the exit status: stdout holds the file, and nothing else. */
  protected async emitBeside<D>(
    outcome: Outcome<D>,
    view: View<D>,
    flags: CommonFlags & OutputFlags,
  ): Promise<void> {
    this.quieten();
    process.exitCode = statusOf(outcome.verdict);
    if (!flags.quiet)
      await write(process.stderr, await textFor(process.stderr, outcome.document, { view, flags }));
    if (outcome.error !== undefined) await reportError(outcome.error, this.argv);
  }
}
