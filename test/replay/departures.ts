import type { JsonValue } from '../../src/support/json.ts';

/** A step at which ipamctl does other than the original, on purpose. */
export interface Departure {
  /** Name of the trace, without the mark of its group. */
  readonly trace: string;
  /** Position of the step, from 0. */
  readonly step: number;
  readonly reason: string;
  /** The answer that is expected instead; absent when the answers agree. */
  readonly result?: JsonValue;
  /** Places of rows that are not compared from this step on. */
  readonly rows?: readonly string[];
}

/** All departures beside the counts of handles, which are corrected by a rule. */
export const DEPARTURES: readonly Departure[] = [];
