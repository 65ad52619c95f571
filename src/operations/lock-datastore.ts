import { AccessDeniedError } from '../errors/access-denied-error.ts';
import { LOCK_MARK, RENAMED_MARK } from '../ipam/marks.ts';
import type { ClusterInformationRow } from '../ipam/model/cluster-information.ts';
import { withAnnotation } from '../ipam/model/object-metadata.ts';
import type { PlanItem } from '../ipam/plan.ts';
import { stringifyJson } from '../support/json.ts';
import { formatTime } from '../support/time.ts';
import type { OperationContext } from './context.ts';
import { assertVersion } from './guards.ts';
import { loadClusterState } from './load-cluster-state.ts';
import { CLUSTER_KEY, lockedBy, lockItem, lookAtCluster } from './migrate/cluster-row.ts';
import type { LockOptions } from './migrate/lock-options.ts';
import { type Mutation, mutationOf } from './mutation.ts';
import { withRetries } from './with-retries.ts';

const PURPOSE = { action: 'lock' } as const;

/** All that a lock does where the cluster has no row for it. */
const CREATION = [{ verb: 'create', kind: 'ClusterInformation' }] as const;

/**
 * Plans to lock the datastore, so that Calico assigns and releases nothing, and to note who did. A cluster that has no
 * ClusterInformation gets one.
 * Source: Calico libcalico-go lib/clientv3 client.go, EnsureInitialized, and calicoctl commands/datastore/migrate/lock.go.
 *
 * Departs from upstream: nothing is written when it is locked already.
 */
export async function planLock(context: OperationContext, options: LockOptions): Promise<Mutation> {
  const { state, row, access } = await lookAtCluster(context);
  assertVersion(state, options.isMismatchAllowed);
  const item = itemOf(row, options);
  const notes = row === undefined ? await notesOfNewRow(context) : [];
  return mutationOf({
    context,
    state,
    command: 'datastore migrate lock',
    items: [item],
    notes,
    rights: row === undefined ? CREATION : undefined,
    run: async ({ ledger, writer }) => {
      if (item.kept !== undefined) return;
      const locker = await withRetries(context, async (attempt) => {
        const current = attempt === 1 ? row : await access.read('ClusterInformation', CLUSTER_KEY);
        if (current?.datastoreReady === false) return lockedBy(current);
        const locked = lockedRow(
          current ?? newRow(context, options.newGuid),
          lockMark(context, options),
        );
        if (current) await writer.update(current, locked, PURPOSE);
        else await writer.create(locked, PURPOSE);
        return undefined;
      });
      if (locker === undefined) ledger.applied(item);
      else ledger.kept(item, 'already', `it has just been locked ${locker}`);
    },
  });
}

/**
 * A datastore that says nothing of itself may be one that Calico has not been in yet, or another one than was meant. Lock
 * does with it what calicoctl does, and says so.
 */
async function notesOfNewRow(context: OperationContext): Promise<readonly string[]> {
  const hasPools = await countsPools(context);
  if (hasPools === true)
    return ['The datastore had no ClusterInformation; it gets one, with a new cluster GUID.'];
  const without =
    hasPools === false ? 'neither a ClusterInformation nor a pool' : 'no ClusterInformation';
  const note = `The datastore has ${without}: make sure that it is the one that is meant, and not an empty one at another address. To lock it, it gets a ClusterInformation with a new cluster GUID.`;
  context.progress.warn(note);
  return [note];
}

/** Whether there are pools; undefined where they may not be read. */
async function countsPools(context: OperationContext): Promise<boolean | undefined> {
  try {
    const state = await loadClusterState(context, { kinds: ['IPPool'] });
    return state.isLoaded('IPPool') ? state.pools.length > 0 : undefined;
  } catch (error) {
    // The lock needs no right to pools.
    if (error instanceof AccessDeniedError) return undefined;
    throw error;
  }
}

function itemOf(row: ClusterInformationRow | undefined, { by, reason }: LockOptions): PlanItem {
  if (row?.datastoreReady === false)
    return lockItem('lock', {
      precondition: '',
      reason: `it is locked, ${lockedBy(row)}`,
      kept: 'already',
    });
  return lockItem('lock', {
    precondition: row ? 'as it was read' : 'there is none',
    reason: `Calico assigns and releases nothing until it is unlocked; locked by ${by}${reason === undefined ? '' : `: ${reason}`}`,
  });
}

function lockMark({ clock }: OperationContext, { by, reason }: LockOptions): string {
  const at = formatTime(Math.floor(clock.now() / 1000) * 1000);
  return stringifyJson({ by, at, reason });
}

function lockedRow(row: ClusterInformationRow, mark: string): ClusterInformationRow {
  return {
    ...row,
    datastoreReady: false,
    object: withAnnotation(withAnnotation(row.object, LOCK_MARK, mark), RENAMED_MARK, undefined),
  };
}

/** What Calico's library makes of a cluster that says nothing of itself. */
function newRow({ datastore }: OperationContext, clusterGUID: string): ClusterInformationRow {
  const isEtcd = datastore.describe().datastore === 'etcd';
  return {
    kind: 'ClusterInformation',
    key: CLUSTER_KEY,
    clusterGUID,
    clusterType: isEtcd ? undefined : 'kdd',
  };
}
