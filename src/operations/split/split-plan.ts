import type { KeptAs, PlanAction, PlanItem } from '../../ipam/plan.ts';
import { partCidr, partName } from '../../ipam/split/parts.ts';
import { formatCidr } from '../../net/cidr.ts';
import type { SplitTarget } from './split-target.ts';
import type { SplitTools, StepEnd } from './split-steps.ts';

/** One write of a split, in its place. */
export interface SplitStep {
  readonly item: PlanItem;
  readonly apply: (tools: SplitTools) => Promise<StepEnd>;
}

/** What a step says of itself. */
export interface StepWords {
  readonly precondition: string;
  readonly reason: string;
  /** Set where the wanted state is there. */
  readonly kept?: KeptAs | undefined;
}

/** An item about the pool itself. */
export function sourceItem(
  { origin }: SplitTarget,
  action: PlanAction,
  words: StepWords,
): PlanItem {
  const { name, cidr } = origin;
  return { action, subject: { kind: 'IPPool', name, cidr: formatCidr(cidr) }, ...words };
}

/** An item about one part. */
export function partItem(
  { origin, number }: SplitTarget,
  index: number,
  { action, ...words }: StepWords & { readonly action: PlanAction },
): PlanItem {
  const name = partName(origin.name, number, index);
  const cidr = formatCidr(partCidr(origin.cidr, number, index));
  return { action, subject: { kind: 'IPPool', name, cidr }, ...words };
}

/** Indexes of all parts, from 0. */
export function indexesOf({ number }: SplitTarget): readonly number[] {
  return Array.from({ length: number }, (_, index) => index);
}
