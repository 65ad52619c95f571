import { homedir } from 'node:os';
import type { OperationContext } from '../operations/context.ts';
import type { Mutation } from '../operations/mutation.ts';
import { outcomeView } from '../render/views/outcome.ts';
import { planView } from '../render/views/plan.ts';
import { BaseCommand } from './base-command.ts';
import { openClock } from './clock.ts';
import type { CommonFlags, OutputFlags } from './flags.ts';
import { confirmPlan } from './prompt.ts';
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
    return UndoFile.open(flags['undo-file'], this.#undoPlace(flags));
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
      ? UndoFile.openJournal(name, this.#undoPlace(flags))
      : this.openUndo(flags);
  }

  #undoPlace(flags: CommonFlags): UndoPlace {
    return {
      env: process.env,
      homeDir: homedir(),
      now: openClock({}).now(),
      warn: (text) => {
        if (!flags.quiet) process.stderr.write(`Warning: ${text}\n`);
      },
    };
  }

  /** Prints the plan, or asks, applies it and prints what came of it. */
  protected async carryOut(
    mutation: Mutation,
    { flags, context, asks, undo }: CarryOut,
  ): Promise<void> {
    if (flags['dry-run']) return this.emit(mutation.plan, planView, flags);
    if (!mutation.isEmpty) mutation.assertWritable();
    if (asks && !flags.yes && !mutation.isEmpty) {
      this.quieten();
      await confirmPlan(mutation.plan.document, {
        input: process.stdin,
        output: process.stderr,
        noColor: flags['no-color'],
        signal: context.signal,
      });
    }
    const outcome = await mutation.apply(undo);
    await undo?.close();
    await this.emit(outcome, outcomeView, flags);
    if (undo?.path !== undefined && !flags.quiet) {
      process.stderr.write(`Undo file: ${undo.path}\n`);
    }
  }
}
