import type { OperationContext } from '../context.ts';
import type { ItemLedger } from '../item-ledger.ts';
import type { RowAccess } from '../row-access.ts';
import type { Writer } from '../writer.ts';
import type { RowHistory } from './row-histories.ts';

/** The tools by which names are given back. */
export interface RestoreNamesTools {
  readonly context: OperationContext;
  readonly access: RowAccess;
  readonly ledger: ItemLedger;
  readonly writer: Writer;
  /** All rows of the file. */
  readonly rows: readonly RowHistory[];
}
