import type { PlanItem } from '../../ipam/plan.ts';
import type { DocumentHead } from '../outcome.ts';
import type { ReportUse } from './plan-document.ts';

/** How an item ended. */
export type ItemResult = 'applied' | 'already' | 'skipped' | 'failed';

/** Why an item failed. */
export interface ItemError {
  /** Stable identifier, as in an error document. */
  readonly code: string;
  readonly message: string;
}

/** An item and how it ended. */
export interface OutcomeItem extends Omit<PlanItem, 'kept'> {
  readonly result: ItemResult;
  readonly error?: ItemError | undefined;
}

/** `IPAMOutcome`: what a command that writes did, in the order of its plan. */
export interface OutcomeDocument extends DocumentHead<'IPAMOutcome'> {
  readonly command: string;
  readonly items: readonly OutcomeItem[];
  readonly totals: Readonly<Record<ItemResult, number>>;
  readonly reports?: readonly ReportUse[] | undefined;
  /** File by which `ipam restore` takes the changes back; absent when nothing was written or no file could be. */
  readonly undoFile?: string | undefined;
  readonly notes: readonly string[];
}
