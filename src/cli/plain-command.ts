import { write } from './emit.ts';
import { reportError } from './report-error.ts';
import { RunnableCommand } from './runnable-command.ts';

/** What commands share that open no datastore and print a text, not a document. */
export abstract class PlainCommand extends RunnableCommand {
  /** Prints the text on stdout. @throws {@link UsageError} when stdout cannot be written. */
  protected async print(text: string): Promise<void> {
    await write(process.stdout, text);
  }

  /** Never rethrows: oclif would print its own text and choose its own status. */
  protected override async catch(error: unknown): Promise<void> {
    // A command line that does not parse is no command that forgot to parse it.
    this.parsed = true;
    await reportError(error, this.argv);
  }
}
