import type { Outcome } from '../operations/outcome.ts';
import { render } from '../render/render.ts';
import type { View } from '../render/view.ts';
import { BaseCommand } from './base-command.ts';
import { statusOf, write } from './emit.ts';
import type { CommonFlags, OutputFlags } from './flags.ts';
import { programName } from './program-name.ts';
import { reportError } from './report-error.ts';
import { terminalOf } from './terminal.ts';

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
    if (!flags.quiet) {
      const terminal = terminalOf(process.stderr, process.env, flags['no-color']);
      const program = programName(process.argv[1]);
      const text = await render(outcome.document, view, {
        format: flags.format,
        ...terminal,
        program,
        connection: { config: flags.config, kubeconfig: flags.kubeconfig },
      });
      await write(process.stderr, text);
    }
    if (outcome.error !== undefined) await reportError(outcome.error, this.argv);
  }
}
