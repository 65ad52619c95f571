import { homedir } from 'node:os';
import { addAbortSignal } from 'node:stream';
import {
  type ConnectionOptions,
  openDatastore,
  openOtherSide,
} from '../datastore/open-datastore.ts';
import type { OperationContext } from '../operations/context.ts';
import { openClock } from './clock.ts';
import type { CommonFlags } from './flags.ts';
import { TerminalProgress } from './progress.ts';
import { openCancellation } from './signals.ts';

/** An operation's ports and what has to be put away afterwards. */
export interface Session {
  readonly context: OperationContext;
  /**
   * The same ports for the other place in which Calico may keep data, where both etcd and a cluster are configured;
   * undefined where one is.
   */
  openOther(): Promise<OperationContext | undefined>;
  /** Takes progress off the terminal, before something else is printed. */
  quieten(): void;
  /** The error to report for what was thrown: when the command was ended, the end and not what broke because of it. */
  explain(thrown: unknown): unknown;
  /** Closes what was opened and stops listening for signals. */
  close(): Promise<void>;
}

/** What a datastore is opened from. */
export type SessionFlags = CommonFlags & Pick<ConnectionOptions, 'groupIfAbsent'>;

/** Builds the ports from flags and environment. Nothing is read yet, but a wrong configuration is told here. */
export async function openSession(flags: SessionFlags, toolVersion: string): Promise<Session> {
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
    const options = connectionOptions(flags, progress, signal);
    const datastore = await openDatastore(options);
    const context = { datastore, clock, progress, signal, toolVersion };
    const opened = [datastore];
    return {
      context,
      openOther: async () => {
        const other = await openOtherSide(options);
        if (other === undefined) return undefined;
        opened.push(other);
        return { ...context, datastore: other };
      },
      quieten: () => progress.stop(),
      explain,
      close: async () => {
        release();
        progress.stop();
        await Promise.all(opened.map((one) => one.close()));
      },
    };
  } catch (error) {
    release();
    progress.stop();
    throw explain(error);
  }
}

function connectionOptions(
  flags: SessionFlags,
  progress: TerminalProgress,
  signal: AbortSignal,
): ConnectionOptions {
  return {
    ...flags,
    pageSize: flags['page-size'],
    env: process.env,
    homeDir: homedir(),
    // A read that waits for more has to end with the command.
    // Touched only where it is read, since opening it takes a while.
    get stdin() {
      return flags.snapshot === '-' ? addAbortSignal(signal, process.stdin) : process.stdin;
    },
    warn: (text) => progress.warn(text),
    signal,
  };
}
