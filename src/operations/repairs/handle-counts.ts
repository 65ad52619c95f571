import { handleName } from '../../ipam/model/names.ts';
import type { HandleCount } from '../../ipam/model/handle.ts';
import type { Allocation, ClusterState } from '../../ipam/state/cluster-state.ts';
import { formatCidr } from '../../net/cidr.ts';

/** What the blocks hold of a handle, as its row counts it, in the order of the blocks' texts. */
export function heldCounts(state: ClusterState, handleId: string): readonly HandleCount[] {
  return countsOf(state.allocationsOf(handleId));
}

/** Counts of allocations per block; cooling ones belong to nobody. */
export function countsOf(allocations: readonly Allocation[]): readonly HandleCount[] {
  const counts = new Map<string, HandleCount>();
  for (const { cooling, block } of allocations) {
    if (cooling) continue;
    const text = formatCidr(block.cidr);
    counts.set(text, { text, cidr: block.cidr, count: (counts.get(text)?.count ?? 0) + 1 });
  }
  return [...counts.values()].sort((a, b) => (a.text < b.text ? -1 : 1));
}

const sharers = new WeakMap<ClusterState, ReadonlyMap<string, readonly string[]>>();

/** Other ids that allocations name and that share the row of this one, since they differ in case only. */
export function otherIdsOfRow(state: ClusterState, handleId: string): readonly string[] {
  let byName = sharers.get(state);
  if (byName === undefined) {
    byName = Map.groupBy(state.referredHandleIds(), handleName);
    sharers.set(state, byName);
  }
  return (byName.get(handleName(handleId)) ?? []).filter((id) => id !== handleId);
}
