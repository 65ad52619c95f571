import type { PlanItem } from '../../ipam/plan.ts';
import type { DocumentHead } from '../outcome.ts';

/** A change as a plan lists it. */
export type PlanDocumentItem = Omit<PlanItem, 'kept'>;

/** What is left alone, and how it would be reported. */
export interface KeptItem extends Omit<PlanItem, 'kept' | 'precondition'> {
  readonly result: 'already' | 'skipped';
}

/** A report that took part, with its age. */
export interface ReportUse {
  readonly file: string;
  /** RFC 3339; absent where the report does not say when it was made. */
  readonly checkedAt?: string | undefined;
  /** Age when it was read; absent with it. */
  readonly ageSeconds?: number | undefined;
}

/** `IPAMPlan`: what a command that writes would do, in order. */
export interface PlanDocument extends DocumentHead<'IPAMPlan'> {
  readonly command: string;
  readonly items: readonly PlanDocumentItem[];
  /** What was asked for or found, and is left alone. */
  readonly kept: readonly KeptItem[];
  readonly totals: { readonly planned: number; readonly already: number; readonly skipped: number };
  readonly reports?: readonly ReportUse[] | undefined;
  /** What the user should know beside the items. */
  readonly notes: readonly string[];
}
