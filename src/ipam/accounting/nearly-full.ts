import { type FreeFacts, occupiedOf } from './counts.ts';

/** Pools of up to this many addresses fill up in ordinary use and are never called nearly full. */
const SMALLEST_JUDGED = 32n;

/** Percentage of a pool from which on it is nearly full. */
const NEARLY_FULL_PERCENT = 80n;

/**
 * Whole percent of a pool's addresses that are in use or reserved, when it is nearly full; otherwise undefined.
 * Source: Calico kube-controllers ippool controller, nearly_full.go.
 */
export function nearlyFullPercent(counts: FreeFacts): number | undefined {
  const { total } = counts;
  const occupied = occupiedOf(counts);
  if (total <= SMALLEST_JUDGED || occupied * 100n < total * NEARLY_FULL_PERCENT) return undefined;
  return Number((occupied * 100n) / total);
}
