import { ToolError } from '../errors/tool-error.ts';
import type { CollectorRound, GarbageCollector } from '../operations/collect-garbage.ts';
import type { OperationContext } from '../operations/context.ts';
import type { CommonFlags, OutputFlags } from './flags.ts';
import type { RoundFlags } from './gc-flags.ts';
import type { MetricsOutput } from './metrics-server.ts';
import { reportError } from './report-error.ts';
import type { StateFile } from './state-file.ts';
import type { UndoFile } from './undo-file.ts';
import type { WriteFlags } from './write-flags.ts';
import { WritingCommand } from './writing-command.ts';

/** What a collector runs with. */
export interface Collecting {
  readonly flags: CommonFlags &
    OutputFlags &
    WriteFlags &
    RoundFlags & { readonly 'leak-grace': number };
  readonly context: OperationContext;
  readonly state: StateFile | undefined;
  readonly metrics: MetricsOutput | undefined;
  readonly undo: UndoFile | undefined;
}

/** The rounds of a collector: one, or one after another until the command is ended. */
export abstract class CollectingCommand extends WritingCommand {
  protected async collect(collector: GarbageCollector, run: Collecting): Promise<void> {
    const { flags, metrics } = run;
    try {
      if (metrics?.url !== undefined && !flags.quiet)
        process.stderr.write(`Metrics: ${metrics.url}\n`);
      if (flags.interval === undefined) await this.#collectOnce(collector, run);
      else await this.#collectForever(collector, flags.interval, run);
    } finally {
      await metrics?.close();
    }
  }

  async #collectOnce(collector: GarbageCollector, run: Collecting): Promise<void> {
    const { flags, context, undo } = run;
    let round = await collector.round();
    if (!flags['dry-run']) await run.metrics?.publish(collector.metrics);
    if (round.isWaiting && run.state === undefined)
      round = await this.#secondRound(collector, run, round);
    await this.carryOut(round.mutation, { flags, context, asks: false, undo });
    await this.#keep(collector, run);
  }

  /** What a dump shows does not change while one waits, and a plan is not worth the time. */
  async #secondRound(
    collector: GarbageCollector,
    { flags, context }: Collecting,
    first: CollectorRound,
  ): Promise<CollectorRound> {
    const graceMs = flags['leak-grace'];
    const { live } = context.datastore.capabilities;
    if (live && flags['dry-run']) return first;
    // The grace period has to be exceeded.
    const waitMs = graceMs + 1;
    if (live) {
      context.progress.step(`waiting ${graceMs / 1000} seconds before the second look`);
      await context.clock.sleep(waitMs, context.signal);
    }
    return collector.round(waitMs);
  }

  async #collectForever(
    collector: GarbageCollector,
    intervalMs: number,
    run: Collecting,
  ): Promise<never> {
    const { context } = run;
    let before: CollectorRound | undefined;
    for (;;) {
      try {
        const waitedMs = before === undefined ? 0 : intervalMs;
        before = await this.#oneOfMany(collector, { ...run, before, waitedMs });
      } catch (error) {
        if (context.signal.aborted || !isPassing(error)) throw error;
        this.quieten();
        await reportError(error, this.argv);
      }
      context.progress.step('waiting for the next round');
      await context.clock.sleep(intervalMs, context.signal);
    }
  }

  /** Tells the first round, and then those that did something or could not. */
  async #oneOfMany(
    collector: GarbageCollector,
    run: Collecting & { readonly before: CollectorRound | undefined; readonly waitedMs: number },
  ): Promise<CollectorRound> {
    const round = await collector.round(run.waitedMs);
    const { mutation, isLocked } = round;
    if (!mutation.isEmpty) mutation.assertWritable();
    const outcome = await mutation.apply();
    const { applied, failed } = outcome.document.totals;
    const isNews = run.before?.isLocked !== isLocked;
    if (isNews || applied + failed > 0) await this.tell(outcome, run.flags);
    await this.#keep(collector, run);
    return round;
  }

  /** Leaves metrics, and what was seen, for others and for the next run. */
  async #keep(collector: GarbageCollector, { flags, state, metrics }: Collecting): Promise<void> {
    if (flags['dry-run']) return;
    await metrics?.publish(collector.metrics);
    await state?.save(collector.document);
  }
}

/** Whether the next round may go well. */
function isPassing(error: unknown): boolean {
  return (
    error instanceof ToolError &&
    (error.retryable || error.code === 'UNAVAILABLE' || error.code === 'CONFLICT')
  );
}
