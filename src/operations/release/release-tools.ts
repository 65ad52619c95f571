import { UnavailableError } from '../../errors/unavailable-error.ts';
import type { KeptAs } from '../../ipam/plan.ts';
import type { OperationContext } from '../context.ts';
import type { ItemLedger } from '../item-ledger.ts';
import type { Look } from '../look.ts';
import type { RowAccess } from '../row-access.ts';
import type { Writer } from '../writer.ts';
import type { ClaimUnit } from './claim-unit.ts';
import type { HandleTally } from './handle-tally.ts';
import type { HandleUnit } from './handle-units.ts';
import type { AddressUnit } from './release-plan.ts';

/** All that a release writes. */
export interface ReleaseWork {
  readonly units: readonly AddressUnit[];
  /** Handle rows without addresses. */
  readonly handles: readonly HandleUnit[];
  /** Blocks that their pool does not give to their node any more, and that become empty. */
  readonly claims: readonly ClaimUnit[];
  /** What an interrupted run has released and not taken off the handles. */
  readonly tally: HandleTally;
  /** How an item counts that has changed hands since the look. */
  readonly changedHands: KeptAs;
  /** Takes single addresses of a handle. */
  readonly isForced: boolean;
}

/** The tools of one run. */
export interface ReleaseTools {
  readonly context: OperationContext;
  readonly look: Look;
  readonly access: RowAccess;
  readonly ledger: ItemLedger;
  readonly writer: Writer;
  readonly cooldownSeconds: number;
}

/** Lets an error pass that ends the run: there is nobody left to talk to. */
export function rethrowIfHopeless(
  error: unknown,
  { context }: Pick<ReleaseTools, 'context'>,
): void {
  if (context.signal.aborted || error instanceof UnavailableError) throw error;
}
