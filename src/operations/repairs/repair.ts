import type { Finding } from '../../check/finding.ts';
import type { KeptAs, PlanAction } from '../../ipam/plan.ts';
import type { OperationContext } from '../context.ts';
import type { Look } from '../look.ts';
import type { RowAccess } from '../row-access.ts';
import type { Writer } from '../writer.ts';

/** Why a finding is left alone. */
export interface RepairKept {
  readonly end: KeptAs;
  /** Sentence part. */
  readonly reason: string;
}

/** What a repair may use while it is planned. */
export interface RepairLook extends Look {
  readonly minAgeMs: number;
  /** Codes that are repaired in the same run. */
  readonly codes: ReadonlySet<string>;
}

/** What a repair may use while it writes. */
export interface RepairTools {
  readonly context: OperationContext;
  readonly look: RepairLook;
  readonly access: RowAccess;
  readonly writer: Writer;
}

/** One attempt at a repair; from the second on, rows have to be read anew. */
export interface RepairAttempt extends RepairTools {
  readonly attempt: number;
}

/** Facts of a finding, by the type that its rule has given them. */
export type FindingOf<F> = Finding & { readonly facts: F };

/** The remedy of one code: one file, one code. */
export interface Repair<F = unknown> {
  /** Code of the rule; the file's name. */
  readonly code: string;
  readonly action: PlanAction | ((finding: FindingOf<F>) => PlanAction);
  /** What must still hold when it is written, as a sentence part. */
  readonly precondition: string;
  /** Findings about the row of a handle need two looks some seconds apart, for no address vouches for it. */
  readonly isAboutHandle?: true | undefined;
  /** Findings of one key are remedied in one go. */
  readonly keyOf: (finding: FindingOf<F>) => string;
  /** Why a finding is left alone, if it is. */
  readonly keep: (finding: FindingOf<F>, look: RepairLook) => RepairKept | undefined;
  /**
   * Judges again by the rows, and writes. It runs again when it loses a race.
   * @returns why nothing was written, or undefined.
   */
  readonly apply: (finding: FindingOf<F>, tools: RepairAttempt) => Promise<RepairKept | undefined>;
}

/** Declares a repair; the call is there for the types. */
export function repair<F>(definition: Repair<F>): Repair {
  return definition as unknown as Repair;
}

/** Leaves a finding alone for safety. */
export function refusal(reason: string): RepairKept {
  return { end: 'refusal', reason };
}

/** The wanted state is there. */
export function already(reason: string): RepairKept {
  return { end: 'already', reason };
}

/** Leaves a finding alone without harm. */
export function harmless(reason: string): RepairKept {
  return { end: 'harmless', reason };
}
