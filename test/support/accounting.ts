import type { BlockAttribute, BlockRow } from '../../src/ipam/model/block.ts';
import type { PoolRow } from '../../src/ipam/model/pool.ts';
import type { ReservationRow } from '../../src/ipam/model/reservation.ts';
import { type PoolCounts, assignedOf, freeOf } from '../../src/ipam/accounting/counts.ts';
import {
  type PoolName,
  type PoolSummary,
  UsageTracker,
} from '../../src/ipam/accounting/tracker.ts';
import { type Usage, countUsage } from '../../src/ipam/accounting/usage.ts';
import { clusterOf } from './builders.ts';

/** Rows that counts are made from. */
export type CountedRow = PoolRow | BlockRow | ReservationRow;

/** A pod's slot with the node attribute. */
export function pod(node: string): BlockAttribute {
  return { handle: 'k8s-pod-network.x', owner: { pod: 'p', namespace: 'n', node } };
}

/** A VXLAN tunnel's slot. */
export function tun(node: string): BlockAttribute {
  return { owner: { type: 'vxlanTunnelAddress', node } };
}

/** A slot that cools down. */
export const cool: BlockAttribute = { owner: {}, releasedAt: 1 };

/** A slot of no known type. */
export const strange: BlockAttribute = { handle: 'h', owner: { type: 'somethingNew' } };

/** A slot that Windows keeps. */
export const windows: BlockAttribute = { handle: 'windows-reserved-ipam-handle', owner: {} };

/** A tracker that was given the rows one after the other. */
export function trackerOf(rows: readonly CountedRow[]): UsageTracker {
  const tracker = new UsageTracker();
  for (const row of rows) {
    if (row.kind === 'IPPool') tracker.setPool(row);
    else if (row.kind === 'IPAMBlock') tracker.setBlock(row);
    else tracker.setReservation(row);
  }
  return tracker;
}

/** The counts of a state of the rows. */
export function usageOf(rows: readonly CountedRow[]): Usage {
  return countUsage(clusterOf(rows));
}

/** Counts as plain values, with what is computed from them; `''` stands for no node. */
export function plain<T extends PoolCounts>(counts: T | undefined) {
  if (!counts) return undefined;
  const record = (map: ReadonlyMap<string | undefined, number>) =>
    Object.fromEntries([...map].map(([key, count]) => [key ?? '', count]));
  return {
    ...counts,
    free: freeOf(counts),
    assigned: assignedOf(counts),
    blocksByNode: record(counts.blocksByNode),
    assignedByNode: record(counts.assignedByNode),
    borrowedByNode: record(counts.borrowedByNode),
    addressesByKind: record(counts.addressesByKind),
  };
}

/** Plain counts of a tracker as a state gives them, to which nodes make no difference. */
export function withoutStale(summary: PoolSummary | undefined) {
  if (!summary) return undefined;
  const { staleAffinity: _none, ...counts } = summary;
  return plain<PoolCounts>(counts);
}

/** Plain counts of a pool in a tracker of the rows. */
export function summaryOf(rows: readonly CountedRow[], pool: PoolName = 'p') {
  return plain(trackerOf(rows).summarize(pool));
}
