import type { NameMap } from '../../ipam/rename/legs.ts';
import type { OperationContext } from '../context.ts';
import type { ItemLedger } from '../item-ledger.ts';
import type { RowAccess } from '../row-access.ts';
import type { Writer } from '../writer.ts';

/** The tools of one leg. */
export interface RenameTools {
  readonly context: OperationContext;
  readonly access: RowAccess;
  readonly ledger: ItemLedger;
  readonly writer: Writer;
  readonly names: NameMap;
  /** An earlier run began this leg: what has a new name already is its work. */
  readonly isResumed: boolean;
  /** Names of rows under new names that this run has made, or is about to make. */
  readonly made: Set<string>;
}
