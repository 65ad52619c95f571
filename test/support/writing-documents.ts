/** Documents of commands that write. */
import type { PlanItem } from '../../src/ipam/plan.ts';
import type {
  OutcomeDocument,
  OutcomeItem,
} from '../../src/operations/documents/outcome-document.ts';
import type { KeptItem, PlanDocument } from '../../src/operations/documents/plan-document.ts';

const SOURCE = { datastore: 'snapshot', file: 'dump.yaml', clusterGUID: 'abc123' } as const;

/** The release of the n-th address, of a pod that does not exist unless said otherwise. */
export function aRelease(
  n: number,
  reason = `its pod does not exist (Pod shop/cart-${n})`,
): PlanItem {
  const address = `198.18.${Math.floor(n / 256)}.${n % 256}`;
  return {
    action: 'release-address',
    subject: { kind: 'Address', name: address, address },
    precondition: 'still held',
    reason,
  };
}

/** So many of them. */
export function releases(count: number, reason?: string): readonly PlanItem[] {
  return Array.from({ length: count }, (_, n) => aRelease(n, reason));
}

/** The plan of these changes, and of what is left alone. */
export function aPlan(
  items: readonly PlanItem[],
  kept: readonly KeptItem[] = [],
  notes: readonly string[] = [],
): PlanDocument {
  const count = (result: KeptItem['result']): number =>
    kept.filter((item) => item.result === result).length;
  return {
    kind: 'IPAMPlan',
    schemaVersion: 1,
    source: SOURCE,
    command: 'ipam release',
    items,
    kept,
    totals: { planned: items.length, already: count('already'), skipped: count('skipped') },
    notes,
  };
}

/** The outcome of these items. */
export function anOutcome(
  items: readonly OutcomeItem[],
  facts: Partial<OutcomeDocument> = {},
): OutcomeDocument {
  const count = (result: OutcomeItem['result']): number =>
    items.filter((item) => item.result === result).length;
  return {
    kind: 'IPAMOutcome',
    schemaVersion: 1,
    source: SOURCE,
    command: 'ipam release',
    items,
    totals: {
      applied: count('applied'),
      already: count('already'),
      skipped: count('skipped'),
      failed: count('failed'),
    },
    notes: [],
    ...facts,
  };
}

/** How these items ended. */
export function ended(
  items: readonly PlanItem[],
  result: OutcomeItem['result'],
  error?: OutcomeItem['error'],
): readonly OutcomeItem[] {
  return items.map((item) => ({ ...item, result, error }));
}
