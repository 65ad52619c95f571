import type { Address } from '../../net/address.ts';
import type { CountedAllocation } from './allocation.ts';
import type { AllocationKind } from './kind.ts';

/** Sums over allocations. No map ever holds a zero: a key goes when its count does. */
export interface Tally {
  /** Distinct allocated addresses, cooling included. */
  inUse: number;
  cooling: number;
  /** Assigned to another node than the block's. */
  borrowed: number;
  /** In use and covered by a reservation. */
  inUseReserved: number;
  /** Assigned per holding node; undefined stands for no node. */
  readonly assignedByNode: Map<string | undefined, number>;
  readonly borrowedByNode: Map<string | undefined, number>;
  /** Assigned per kind. */
  readonly addressesByKind: Map<AllocationKind, number>;
}

/** Tells whether a reservation covers an address. */
export type IsReserved = (address: Address) => boolean;

/** A tally of nothing. */
export function emptyTally(): Tally {
  return {
    inUse: 0,
    cooling: 0,
    borrowed: 0,
    inUseReserved: 0,
    assignedByNode: new Map(),
    borrowedByNode: new Map(),
    addressesByKind: new Map(),
  };
}

/**
 * Counts one allocation. A cooling one is in use but assigned to nobody, so no by-node or by-kind count sees it.
 * Source: Calico libcalico-go lib/ipam/accounting counts.go.
 */
export function tallyAllocation(
  tally: Tally,
  allocation: CountedAllocation,
  isReserved?: IsReserved,
): void {
  tally.inUse++;
  if (isReserved?.(allocation.address)) tally.inUseReserved++;
  if (allocation.cooling) {
    tally.cooling++;
    return;
  }
  addToKey(tally.addressesByKind, allocation.kind, 1);
  addToKey(tally.assignedByNode, allocation.node, 1);
  if (allocation.borrowed) {
    tally.borrowed++;
    addToKey(tally.borrowedByNode, allocation.node, 1);
  }
}

/** Adds `other` to `tally`, or takes it out again with sign -1; the two undo each other exactly. */
export function addTally(tally: Tally, other: Tally, sign: 1 | -1): void {
  tally.inUse += sign * other.inUse;
  tally.cooling += sign * other.cooling;
  tally.borrowed += sign * other.borrowed;
  tally.inUseReserved += sign * other.inUseReserved;
  addMap(tally.assignedByNode, other.assignedByNode, sign);
  addMap(tally.borrowedByNode, other.borrowedByNode, sign);
  addMap(tally.addressesByKind, other.addressesByKind, sign);
}

/** A copy that shares nothing. */
export function copyTally(tally: Tally): Tally {
  const copy = emptyTally();
  addTally(copy, tally, 1);
  return copy;
}

/** Adds to a key of a counting map; a key whose count comes to zero is removed. */
export function addToKey<K>(counts: Map<K, number>, key: K, by: number): void {
  const sum = (counts.get(key) ?? 0) + by;
  if (sum === 0) counts.delete(key);
  else counts.set(key, sum);
}

function addMap<K>(target: Map<K, number>, other: ReadonlyMap<K, number>, sign: 1 | -1): void {
  for (const [key, count] of other) addToKey(target, key, sign * count);
}
