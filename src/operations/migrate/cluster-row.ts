import { DataError } from '../../errors/data-error.ts';
import type { ClusterInformationRow } from '../../ipam/model/cluster-information.ts';
import { CONFIG_NAME } from '../../ipam/model/ipam-config.ts';
import type { PlanAction, PlanItem, PlanSubject } from '../../ipam/plan.ts';
import type { ClusterState } from '../../ipam/state/cluster-state.ts';
import { readLockMark } from '../../ipam/marks.ts';
import type { OperationContext } from '../context.ts';
import { loadClusterState } from '../load-cluster-state.ts';
import { RowAccess } from '../row-access.ts';

/** Key of the only ClusterInformation that counts. */
export const CLUSTER_KEY = { name: CONFIG_NAME };

/** The row of the lock and the state that it was read with. */
export interface ClusterLook {
  readonly state: ClusterState;
  /** Whole row; undefined when there is none. */
  readonly row: ClusterInformationRow | undefined;
  readonly access: RowAccess;
}

/**
 * Reads the row that holds the lock.
 * @throws {@link DataError} when the source does not hold the kind, or the row cannot be read.
 */
export async function lookAtCluster(context: OperationContext): Promise<ClusterLook> {
  const state = await loadClusterState(context, { kinds: ['ClusterInformation'] });
  if (!state.isLoaded('ClusterInformation')) {
    throw new DataError(
      'the ClusterInformation is not part of this source, so nobody knows the lock',
      {
        hint: 'take a dump that holds ClusterInformation objects too',
      },
    );
  }
  const access = new RowAccess(context);
  return { state, row: await access.read('ClusterInformation', CLUSTER_KEY), access };
}

/** The one item of a lock or unlock. */
export function lockItem(
  action: PlanAction & ('lock' | 'unlock'),
  words: Pick<PlanItem, 'precondition' | 'reason' | 'kept'>,
): PlanItem {
  const subject: PlanSubject = { kind: 'ClusterInformation', name: CONFIG_NAME };
  return { action, subject, ...words };
}

/** Who locked, when and why, as a sentence part. */
export function lockedBy(row: ClusterInformationRow | undefined): string {
  const mark = readLockMark(row?.object);
  if (mark === undefined) return 'nobody noted by whom';
  return `by ${mark.by} at ${mark.at}${mark.reason === undefined ? '' : `: ${mark.reason}`}`;
}
