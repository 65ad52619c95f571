import { DataError } from '../errors/data-error.ts';
import type { WritableRow } from '../datastore/datastore.ts';
import { type ResourceKey, type ResourceKind, keyText } from '../ipam/model/resource.ts';
import { type Row, isReadable } from '../ipam/model/row.ts';
import type { OperationContext } from './context.ts';

/** Kinds of rows that are written. */
export type WritableKind = WritableRow['kind'];

/** Kinds of rows that say who has which addresses. */
export type ClaimKind = 'IPAMBlock' | 'IPAMHandle' | 'BlockAffinity';

/** A row of such a kind. */
export type RowOf<K extends WritableKind> = Extract<WritableRow, { kind: K }>;

/** Whole rows that a look has kept, by kind and name. */
export class KeptRows {
  readonly #rows = new Map<string, Row>();

  set(row: Row): void {
    this.#rows.set(`${row.kind} ${keyText(row.key)}`, row);
  }

  delete(kind: ResourceKind, key: ResourceKey): void {
    this.#rows.delete(`${kind} ${keyText(key)}`);
  }

  get(kind: ResourceKind, key: ResourceKey): Row | undefined {
    return this.#rows.get(`${kind} ${keyText(key)}`);
  }
}

/** Rows to write: first as the look has kept them, then read again, one by one, where that is not so any more. */
export class RowAccess {
  readonly #context: OperationContext;
  readonly #kept: KeptRows;

  constructor(context: OperationContext, kept: KeptRows = new KeptRows()) {
    this.#context = context;
    this.#kept = kept;
  }

  /** The kept row is no longer what is stored: it was written. */
  forget(kind: ResourceKind, key: ResourceKey): void {
    this.#kept.delete(kind, key);
  }

  /**
   * The row as the look has it at the first attempt, as it is now later on; undefined when there is none. A row that is
   * marked deleted is there, and says so.
   * @throws {@link DataError} when it cannot be read.
   */
  async read<K extends WritableKind>(
    kind: K,
    key: ResourceKey,
    attempt = 2,
  ): Promise<RowOf<K> | undefined> {
    const kept = attempt === 1 ? this.#kept.get(kind, key) : undefined;
    const row =
      kept ?? (await this.#context.datastore.get(kind, key, { signal: this.#context.signal }));
    if (row === undefined) return undefined;
    if (!isReadable(row)) {
      throw new DataError(`${kind} ${keyText(key)} cannot be read: ${row.unreadable}`, {
        hint: 'mend or remove the row first; see its finding unreadable-object',
      });
    }
    return row as RowOf<K>;
  }
}
