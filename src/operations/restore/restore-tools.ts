import type { ResourceKey } from '../../ipam/model/resource.ts';
import type { OperationContext } from '../context.ts';
import type { ItemLedger } from '../item-ledger.ts';
import type { Look } from '../look.ts';
import type { MayTake } from './restore-plan.ts';
import type { RowAccess } from '../row-access.ts';
import type { Writer } from '../writer.ts';

/** What the undo file says of the handles of the addresses in it. */
export interface RecordedHandles {
  /** Rows that were lowered or deleted with their addresses, by handle id. */
  readonly handleKeys: ReadonlyMap<string, ResourceKey>;
  /** Addresses that stay with somebody else, by handle id and then by block: their handle must not count them. */
  readonly refused: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** The tools of one run. */
export interface RestoreTools {
  readonly context: OperationContext;
  readonly look: Look;
  readonly access: RowAccess;
  readonly ledger: ItemLedger;
  readonly writer: Writer;
  readonly recorded: RecordedHandles;
  /** Handles whose row is as it was, so that it counts what goes back. */
  readonly settled: Set<string>;
  /** Whether nothing alive carries an address that was put back. */
  readonly mayTake: MayTake;
}
