import { homedir } from 'node:os';
import { UsageError } from '../errors/usage-error.ts';
import type { OperationContext } from '../operations/context.ts';
import type { OutcomeDocument } from '../operations/documents/outcome-document.ts';
import type { Mutation } from '../operations/mutation.ts';
import type { Outcome } from '../operations/outcome.ts';
import { outcomeView } from '../render/views/outcome.ts';
import { planView } from '../render/views/plan.ts';
import { BaseCommand } from './base-command.ts';
import { openClock } from './clock.ts';
import type { CommonFlags, OutputFlags } from './flags.ts';
import { confirmPlan } from './prompt.ts';
import { reportError } from './report-error.ts';
import { UndoFile, type UndoPlace } from './undo-file.ts';
import type { WriteFlags } from './write-flags.ts';

/** How a plan is carried out. */
export interface CarryOut {
  readonly flags: CommonFlags & OutputFlags & WriteFlags;
  readonly context: OperationContext;
  /** Asks on a terminal unless `--yes` is given. */
  readonly asks: boolean;
  readonly undo?: UndoFile | undefined;
}

/** What commands that write share: the plan under `--dry-run`, the question, the undo file. */
export abstract class WritingCommand extends BaseCommand {
  /**
   * Looks at the undo file before anything is read.
   * @throws {@link UsageError} when a named one cannot be written.
   */
  protected async openUndo(
    flags: CommonFlags & { readonly 'undo-file'?: string | undefined },
  ): Promise<UndoFile> {
    return UndoFile.open(flags['undo-file'], this.#undoPlace());
  }

  /**
   * The undo file of a run that may be gone on with: the named one, else one in the state folder that has this name in
   * every run.
   * @throws {@link UsageError} when a named one cannot be written.
   */
  protected async openJournal(
    flags: CommonFlags & { readonly 'undo-file'?: string | undefined },
    name: string,
  ): Promise<UndoFile> {
    return flags['undo-file'] === undefined
      ? UndoFile.openJournal(name, this.#undoPlace())
      : this.openUndo(flags);
  }

  #undoPlace(): UndoPlace {
    return {
      env: process.env,
      homeDir: homedir(),
      now: openClock({}).now(),
      warn: (text) => {
        // Nobody should believe that this can be taken back, however quiet a run is.
        process.stderr.write(`Warning: ${text}\n`);
      },
    };
  }

  /** Prints the plan, or asks, applies it and prints what came of it. */
  protected async carryOut(
    mutation: Mutation,
    { flags, context, asks, undo }: CarryOut,
  ): Promise<void> {
    const lists = { isComplete: flags.verbose };
    if (flags['dry-run']) return this.emit(mutation.plan, planView(lists), flags);
    if (!mutation.isEmpty) mutation.assertWritable();
    if (asks && !flags.yes && !mutation.isEmpty) {
      this.quieten();
      await confirmPlan(mutation.plan.document, {
        input: process.stdin,
        output: process.stderr,
        noColor: flags['no-color'],
        ...lists,
        signal: context.signal,
      });
    }
    const outcome = await mutation.apply(undo).finally(() => undo?.close());
    await this.tell(outcome, flags);
  }

  /** Prints what came of a plan; that it was applied is told even where that cannot be printed. */
  protected async tell(
    outcome: Outcome<OutcomeDocument>,
    flags: CommonFlags & OutputFlags,
  ): Promise<void> {
    const { undoFile } = outcome.document;
    try {
      await this.emit(outcome, outcomeView({ isComplete: flags.verbose }), flags);
    } catch (error) {
      if (outcome.error !== undefined) await reportError(outcome.error, this.argv);
      throw untold(error, outcome.document);
    }
    if (undoFile !== undefined && !flags.quiet) process.stderr.write(`Undo file: ${undoFile}\n`);
  }
}

/** The error of an output that cannot be written, when what it was to tell is done. */
function untold(error: unknown, { totals: { applied }, undoFile }: OutcomeDocument): unknown {
  if (!(error instanceof UsageError) || applied === 0) return error;
  const changes = applied === 1 ? '1 change was' : `${applied} changes were`;
  return new UsageError(`${error.message}; ${changes} made all the same`, {
    hint:
      undoFile === undefined
        ? 'look at what is there now before you run the command again'
        : `the undo file says what was done, and ipamctl ipam restore takes it back: ${undoFile}`,
    details: { applied, undoFile },
    cause: error,
  });
}
