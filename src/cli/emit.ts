import { EXIT_STATUSES } from '../errors/exit-status.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { Outcome, Verdict } from '../operations/outcome.ts';
import { render } from '../render/render.ts';
import type { View } from '../render/view.ts';
import { systemReason } from '../support/file-problem.ts';
import type { OutputFlags } from './flags.ts';
import { programName } from './program-name.ts';
import { type MaybeTerminal, terminalOf } from './terminal.ts';

/** Prints the document of an outcome on stdout and sets the exit status, which no format changes. */
export async function emitOutcome<D>(
  outcome: Outcome<D>,
  view: View<D>,
  flags: OutputFlags,
): Promise<void> {
  const text = await textFor(process.stdout, outcome.document, { view, flags });
  process.exitCode = statusOf(outcome.verdict);
  await write(process.stdout, text);
}

/** A document as whoever gave these flags is to see it on a stream. */
export function textFor<D>(
  stream: MaybeTerminal,
  document: D,
  { view, flags }: { readonly view: View<D>; readonly flags: OutputFlags },
): Promise<string> {
  return render(document, view, {
    format: flags.format,
    ...terminalOf(stream, process.env, flags['no-color']),
    program: programName(process.argv[1]),
    connection: { config: flags.config, kubeconfig: flags.kubeconfig },
  });
}

/** Exit status of a completed operation. */
export function statusOf(verdict: Verdict): number {
  return EXIT_STATUSES[verdict].status;
}

/**
 * Writes a text and waits until the stream has taken all of it. A reader that has gone away (`| head`) is no error.
 * @returns whether the text was written; false when the reader has gone.
 * @throws {@link UsageError} when the stream cannot be written, such as a file on a full disk.
 */
export async function write(
  stream: NodeJS.WriteStream,
  text: string | Uint8Array,
): Promise<boolean> {
  const error = await new Promise<Error | null | undefined>((resolve) => {
    // The stream reports a failure twice; without a listener the second report would end the process.
    stream.once('error', resolve);
    stream.write(text, (failure) => {
      if (failure) return;
      stream.off('error', resolve);
      resolve(undefined);
    });
  });
  if (!error) return true;
  // The second report may come when this has been told; `guardOutput` would tell it again.
  stream.on('error', () => undefined);
  if (isBrokenPipe(error)) return false;
  throw new UsageError(`the output cannot be written: ${systemReason(error)}`, { cause: error });
}

/**
 * Lets the process end quietly when whatever reads its output has gone, and with status 2 when the output cannot be
 * written, also where oclif prints by itself (help). Its own listener would end the process with a stack.
 */
export function guardOutput(): void {
  process.stdout.removeAllListeners('error');
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: Error) => {
      // `write` listens too and reports by itself.
      if (isBrokenPipe(error) || stream.listenerCount('error') > 1) return;
      process.exitCode = EXIT_STATUSES.usage.status;
      if (stream === process.stdout)
        process.stderr.write(`Error: the output cannot be written: ${systemReason(error)}\n`);
    });
  }
}

function isBrokenPipe(error: Error): boolean {
  return 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED');
}
