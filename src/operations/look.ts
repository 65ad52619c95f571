import { RESOURCE_KINDS } from '../ipam/model/resource.ts';
import type { Row } from '../ipam/model/row.ts';
import type { ClusterState } from '../ipam/state/cluster-state.ts';
import type { OperationContext } from './context.ts';
import { loadClusterState } from './load-cluster-state.ts';
import { KeptRows } from './row-access.ts';

/** What a writing command saw at one moment. */
export interface Look {
  readonly state: ClusterState;
  /** Moment of judgement, milliseconds since 1970. */
  readonly now: number;
  /** Whole rows of what may be written. */
  readonly kept: KeptRows;
}

/** How far apart two looks at handle rows have to be, so that an assignment that was under way shows; in milliseconds. */
export const LOOKS_APART_MS = 10_000;

/**
 * Reads the cluster.
 * @param isWanted Tells the rows that will be written: their whole objects are kept, so that nothing is read again one by one.
 */
export async function takeLook(
  context: OperationContext,
  isWanted: (row: Row) => boolean = () => false,
): Promise<Look> {
  const kept = new KeptRows();
  const state = await loadClusterState(context, {
    kinds: RESOURCE_KINDS,
    keep: isWanted,
    onRow: (row) => {
      if (isWanted(row)) kept.set(row);
    },
  });
  return { state, now: context.clock.now(), kept };
}

/** Whether rows of handles have to be looked at twice: a lock stops assignments, and a snapshot stands still. */
export function needsSecondLook(context: OperationContext, state: ClusterState): boolean {
  return context.datastore.capabilities.live && state.clusterInformation?.datastoreReady !== false;
}
