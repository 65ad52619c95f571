import type { WritableDatastore, WritableRow } from '../datastore/datastore.ts';
import { ConflictError } from '../errors/conflict-error.ts';
import { InternalError } from '../errors/internal-error.ts';
import { ToolError } from '../errors/tool-error.ts';
import { type Revision, keyText } from '../ipam/model/resource.ts';
import { type Row, isReadable } from '../ipam/model/row.ts';
import type { PlanAction, PlanSubject } from '../ipam/plan.ts';
import type { OperationContext } from './context.ts';
import { isSameRow } from './undo/same-row.ts';
import type { UndoJournal } from './undo/undo-journal.ts';
import type { UndoEntry, UndoResult } from './undo/undo-log.ts';

/** What a write is for, as the undo file names it. */
export interface WritePurpose {
  readonly action: PlanAction;
  /** The row itself when absent. */
  readonly subject?: PlanSubject | undefined;
}

/** Conditional writes, each written down in the undo file before it is sent. */
export class Writer {
  readonly #context: OperationContext;
  readonly #datastore: WritableDatastore;
  readonly #journal: UndoJournal | undefined;
  /** Numbers of writes that were noted ahead, by what they write. */
  readonly #announced = new Map<object, number>();
  /** Something was written that has lasted, or may have. */
  #hasWritten = false;
  /** Something was written since the last flush, or may have been. */
  #isPending = false;
  /** Told of each row that was written or removed, or may have been. */
  onWritten: (row: WritableRow) => void = () => undefined;

  constructor(
    context: OperationContext,
    datastore: WritableDatastore,
    journal: UndoJournal | undefined,
  ) {
    this.#context = context;
    this.#datastore = datastore;
    this.#journal = journal;
  }

  /** Creates a row. @throws {@link AlreadyExistsError} when it is there. */
  async create<R extends WritableRow>(row: R, purpose: WritePurpose): Promise<R> {
    const entry = entryOf(purpose, undefined, row);
    return this.record(entry, () =>
      this.#send(entry, () => this.#datastore.create(row, { signal: this.#context.signal })),
    );
  }

  /** Writes a row over the one that was read. @throws {@link ConflictError}, {@link NotFoundError}. */
  async update<R extends WritableRow>(before: R, after: R, purpose: WritePurpose): Promise<R> {
    const row = { ...after, revision: demanded(before) };
    const entry = entryOf(purpose, before, row);
    return this.record(entry, () =>
      this.#send(entry, () => this.#datastore.update(row, { signal: this.#context.signal })),
    );
  }

  /** Removes a row as it was read. @throws {@link ConflictError}, {@link NotFoundError}. */
  async remove(before: WritableRow, purpose: WritePurpose): Promise<void> {
    const version = {
      kind: before.kind,
      key: before.key,
      revision: demanded(before),
      uid: before.uid,
    };
    const entry = entryOf(purpose, before, undefined);
    await this.record(entry, () =>
      this.#send(entry, async () => {
        await this.#datastore.remove(version, { signal: this.#context.signal });
        return undefined;
      }),
    );
  }

  /** Names of rows in this datastore. */
  get keys(): WritableDatastore['keys'] {
    return this.#datastore.keys;
  }

  /** Whether anything was changed, or may have been; what was kept back and could not be flushed was not. */
  get hasWritten(): boolean {
    return this.#hasWritten || this.#isPending;
  }

  /** Makes all writes last, where the datastore keeps them back. */
  async flush(): Promise<void> {
    const isPending = this.#isPending;
    this.#isPending = false;
    await this.#datastore.flush?.();
    this.#hasWritten ||= isPending;
  }

  /**
   * Notes many writes at once that are about to be sent, so that the disk is waited for only once. Those that are never
   * sent do no harm: a restore judges by the rows themselves.
   */
  async announce(entries: readonly UndoEntry[]): Promise<void> {
    const journal = this.#journal;
    if (journal === undefined) return;
    await Promise.all(
      entries.map(async (entry) => {
        this.#announced.set(identityOf(entry), await journal.begin(entry));
      }),
    );
  }

  /** Notes a write, carries it out and notes how it ended. What was announced need not wait for the disk again. */
  async record<T extends { readonly revision?: Revision | undefined } | undefined>(
    entry: UndoEntry,
    send: () => Promise<T>,
  ): Promise<T> {
    const identity = identityOf(entry);
    const announced = this.#announced.get(identity);
    this.#announced.delete(identity);
    const n = announced ?? (await this.#journal?.begin(entry));
    const row = entry.after ?? entry.before;
    if (row) this.onWritten(row);
    const note = async (result: UndoResult): Promise<void> => {
      if (n === undefined) return;
      // A journal that cannot be written any more refuses the next announcement.
      if (announced !== undefined) this.#journal?.noteEnd(n, result);
      else await this.#journal?.end(n, result);
    };
    try {
      const written = await send();
      this.#isPending = true;
      await note({ result: 'applied', revision: written?.revision });
      return written;
    } catch (error) {
      if (this.#context.signal.aborted || !isRefused(error)) this.#isPending = true;
      await note({ result: 'failed' });
      throw error;
    }
  }

  /**
   * Sends once. When the answer is lost, what stands in the datastore tells whether the write was done; a write that was
   * not is reported as a lost race, so that it is planned again.
   */
  async #send<T extends WritableRow | undefined>(
    entry: UndoEntry,
    send: () => Promise<T>,
  ): Promise<T> {
    try {
      return await send();
    } catch (error) {
      if (!isAnswerLost(error) || this.#context.signal.aborted) throw error;
      const row = await this.#current(entry, error);
      if (isDone(entry, row)) return row as T;
      throw new ConflictError(`the answer to a write was lost: ${error.message}`, { cause: error });
    }
  }

  async #current({ before, after }: UndoEntry, lost: ToolError): Promise<Row | undefined> {
    const row = after ?? before;
    if (row === undefined) throw lost;
    try {
      return await this.#datastore.get(row.kind, row.key, { signal: this.#context.signal });
    } catch {
      throw lost;
    }
  }
}

/** What is written, or taken away, is one thing in memory from announcing to sending. */
function identityOf({ before, after, object }: UndoEntry): object {
  const written = object?.after ?? object?.before ?? after ?? before;
  if (written === undefined) throw new InternalError('a write of nothing');
  return written;
}

function entryOf(
  { action, subject }: WritePurpose,
  before: WritableRow | undefined,
  after: WritableRow | undefined,
): UndoEntry {
  const row = after ?? before;
  if (row === undefined) throw new InternalError('a write without a row');
  return { action, subject: subject ?? { kind: row.kind, name: row.key.name }, before, after };
}

function demanded(row: WritableRow): Revision {
  if (row.revision === undefined) {
    throw new InternalError(`${row.kind} ${keyText(row.key)} was read without its revision`);
  }
  return row.revision;
}

/** Whether the request may have been carried out although it failed. */
export function isAnswerLost(error: unknown): error is ToolError {
  return error instanceof ToolError && error.code === 'UNAVAILABLE' && error.retryable;
}

/** Whether a write was answered, and not carried out. */
function isRefused(error: unknown): boolean {
  return error instanceof ToolError && !isAnswerLost(error);
}

/** Somebody else's write of the same content does as well: the wanted state is there. */
function isDone({ before, after }: UndoEntry, row: Row | undefined): boolean {
  if (row === undefined) return after === undefined;
  if (after === undefined || !isReadable(row)) return false;
  return row.revision !== before?.revision && isSameRow(row as WritableRow, after);
}
