import type { Interfaces } from '@oclif/core';
import type { OperationContext } from '../operations/context.ts';
import type { Outcome } from '../operations/outcome.ts';
import type { View } from '../render/view.ts';
import { emitOutcome } from './emit.ts';
import { type CommonFlags, commonFlags, type OutputFlags } from './flags.ts';
import {
  openSession,
  openSides,
  type Session,
  type SessionFlags,
  type SidesSession,
} from './open-context.ts';
import { OutputPaths } from './path-flags.ts';
import { reportError } from './report-error.ts';
import { RunnableCommand } from './runnable-command.ts';

/** What all commands share: the common flags, opening a datastore, printing an outcome, and the one place for errors. */
export abstract class BaseCommand extends RunnableCommand {
  static override baseFlags = commonFlags;

  #session: Session | undefined;
  #outputs: OutputPaths | undefined;
  #openOther: (() => Promise<OperationContext | undefined>) | undefined;

  /** What is to be written is looked at before anything is read: it may be the very file. */
  protected override async parse<
    F extends Record<string, unknown>,
    B extends Record<string, unknown>,
    A extends Record<string, unknown>,
  >(
    options?: Interfaces.Input<F, B, A>,
    argv?: string[],
  ): Promise<Interfaces.ParserOutput<F, B, A>> {
    const parsed = await super.parse<F, B, A>(options, argv);
    this.#outputs = await OutputPaths.of(parsed.flags);
    await this.#outputs.assertApart(parsed.flags, parsed.args);
    return parsed;
  }

  /** Opens the datastore and the other ports of an operation; they are closed when the command ends. */
  protected async open(flags: SessionFlags): Promise<OperationContext> {
    const session = await openSession(flags, this.config.version, this.#outputs);
    this.#session = session;
    this.#openOther = () => session.openOther();
    return session.context;
  }

  /** Opens, after {@link open}, the other side of a migration, where both are configured. */
  protected async openOther(): Promise<OperationContext | undefined> {
    return this.#openOther?.();
  }

  /** The sides of a migration, to be opened one by one; they are closed when the command ends. */
  protected async openSides(flags: CommonFlags): Promise<SidesSession> {
    const session = await openSides(flags, this.config.version);
    this.#session = session;
    return session;
  }

  /** Prints the document and sets the exit status from the verdict. */
  protected async emit<D>(outcome: Outcome<D>, view: View<D>, flags: OutputFlags): Promise<void> {
    const print = (): Promise<void> => emitOutcome(outcome, view, flags);
    await (this.#session?.print(print) ?? print());
    // What was refused or failed is told on stderr too; its status is that of the verdict.
    if (outcome.error !== undefined) await reportError(outcome.error, this.argv);
  }

  /** Takes progress off the terminal, before a question is asked. */
  protected quieten(): void {
    this.#session?.quieten();
  }

  /** Never rethrows: oclif would print its own text and choose its own status. */
  protected override async catch(error: unknown): Promise<void> {
    // A command line that does not parse is no command that forgot to parse it.
    this.parsed = true;
    this.#session?.quieten();
    await reportError(this.#session?.explain(error) ?? error, this.argv);
  }

  protected override async finally(): Promise<void> {
    await this.#session?.close();
  }
}
