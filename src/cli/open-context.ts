import { homedir } from 'node:os';
import { addAbortSignal } from 'node:stream';
import { openDatastore } from '../datastore/open-datastore.ts';
import type { OperationContext } from '../operations/context.ts';
import { openClock } from './clock.ts';
import type { CommonFlags } from './flags.ts';
import { TerminalProgress } from './progress.ts';
import { openCancellation } from './signals.ts';

/** An operation's ports and what has to be put away afterwards. */
export interface Session {
  readonly context: OperationContext;
  /** Takes progress off the terminal, before something else is printed. */
  quieten(): void;
  /** The error to report for what was thrown: when the command was ended, the end and not what broke because of it. */
  explain(thrown: unknown): unknown;
  /** Closes the datastore and stops listening for signals. */
  close(): Promise<void>;
}

/** Builds the ports from flags and environment. Nothing is read yet, but a wrong configuration is told here. */
export async function openSession(flags: CommonFlags, toolVersion: string): Promise<Session> {
  const clock = openClock(process.env);
  const progress = new TerminalProgress({
    stream: process.stderr,
    quiet: flags.quiet,
    verbose: flags.verbose,
  });
  const { signal, release } = openCancellation(flags.timeout);
  const explain = (thrown: unknown): unknown => (signal.aborted ? signal.reason : thrown);
  try {
    progress.step('opening the datastore');
    const datastore = await openDatastore({
      ...flags,
      pageSize: flags['page-size'],
      env: process.env,
      homeDir: homedir(),
      // A read that waits for more has to end with the command.
      stdin: flags.snapshot === '-' ? addAbortSignal(signal, process.stdin) : process.stdin,
      warn: (text) => progress.warn(text),
      signal,
    });
    return {
      context: { datastore, clock, progress, signal, toolVersion },
      quieten: () => progress.stop(),
      explain,
      close: async () => {
        release();
        progress.stop();
        await datastore.close();
      },
    };
  } catch (error) {
    release();
    progress.stop();
    throw explain(error);
  }
}
