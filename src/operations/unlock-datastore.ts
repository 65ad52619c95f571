import { NotFoundError } from '../errors/not-found-error.ts';
import { PreconditionError } from '../errors/precondition-error.ts';
import { LOCK_MARK, RENAMED_MARK } from '../ipam/marks.ts';
import type { ClusterInformationRow } from '../ipam/model/cluster-information.ts';
import { withAnnotation } from '../ipam/model/object-metadata.ts';
import type { PlanItem } from '../ipam/plan.ts';
import type { OperationContext } from './context.ts';
import { namingAllDenied } from './denials.ts';
import { assertVersion } from './guards.ts';
import { CLUSTER_KEY, lockedBy, lockItem, lookAtCluster } from './migrate/cluster-row.ts';
import type { UnlockOptions } from './migrate/lock-options.ts';
import { markedWork } from './migrate/unfinished.ts';
import { type Mutation, mutationOf } from './mutation.ts';
import { withRetries } from './with-retries.ts';

/**
 * Plans to unlock the datastore and to take the note off who locked it. A datastore whose flag was never set is not
 * locked.
 * Source: Calico calicoctl commands/datastore/migrate/unlock.go.
 *
 * Departs from upstream: nothing is written when it is not locked, and unfinished work is a refusal.
 * @throws {@link NotFoundError} when the cluster has no ClusterInformation, {@link PreconditionError} while an import,
 * split or rename is not finished, or while the other side of a migration is not locked.
 */
export async function planUnlock(
  context: OperationContext,
  { isForced, isMismatchAllowed, other }: UnlockOptions,
): Promise<Mutation> {
  const { state, row, access } = await namingAllDenied(
    () => lookAtCluster(context),
    () => markedWork(context, undefined),
  );
  if (row === undefined)
    throw new NotFoundError('there is no ClusterInformation "default", so nothing is locked', {
      hint: 'is this the right cluster? ipamctl datastore migrate status tells what is there',
    });
  assertVersion(state, isMismatchAllowed);
  const item = itemOf(row);
  const notes =
    item.kept === undefined
      ? [
          ...(await unfinishedNotes(context, row, isForced)),
          ...(await otherSideNotes(context, row, { other, isForced })),
        ]
      : [];
  return mutationOf({
    context,
    state,
    command: 'datastore migrate unlock',
    items: [item],
    notes,
    run: async ({ ledger, writer }) => {
      if (item.kept !== undefined) return;
      const isWritten = await withRetries(context, async (attempt) => {
        const current = attempt === 1 ? row : await access.read('ClusterInformation', CLUSTER_KEY);
        if (current?.datastoreReady !== false) return false;
        await writer.update(current, unlocked(current), { action: 'unlock' });
        return true;
      });
      if (isWritten) ledger.applied(item, doneItem(item, row));
      else ledger.kept(item, 'already', 'somebody else has just unlocked it');
    },
  });
}

function itemOf(row: ClusterInformationRow): PlanItem {
  if (row.datastoreReady !== false)
    return lockItem('unlock', { precondition: '', reason: 'it is not locked', kept: 'already' });
  return lockItem('unlock', {
    precondition: 'as it was read',
    reason: `it is locked, ${lockedBy(row)}`,
  });
}

function doneItem(item: PlanItem, row: ClusterInformationRow): PlanItem {
  return { ...item, reason: `it was locked, ${lockedBy(row)}; it is unlocked now` };
}

/** @throws {@link PreconditionError} while something is not finished, unless that is to be lifted. */
async function unfinishedNotes(
  context: OperationContext,
  row: ClusterInformationRow,
  isForced: boolean,
): Promise<readonly string[]> {
  const unfinished = (await markedWork(context, row)).filter(({ finished }) => !finished);
  const texts = unfinished.map(({ what, says }) => `not finished: ${what} (${says})`);
  if (isForced) return texts.map((text) => `Unlocked although ${text}.`);
  const [first] = unfinished;
  if (first === undefined) return [];
  throw new PreconditionError(`the datastore stays locked: ${texts.join('; ')}`, {
    hint: `${first.remedy ?? ''}; --force unlocks all the same`,
    details: { unfinished: unfinished.map(({ what, pool }) => ({ what, pool })) },
  });
}

/**
 * Two datastores of one cluster that are both unlocked give out the same addresses twice. Another cluster, whose identity
 * is another one, is no other side.
 * @throws {@link PreconditionError} naming both sides, unless that is to be lifted.
 */
async function otherSideNotes(
  context: OperationContext,
  row: ClusterInformationRow,
  { other, isForced }: Pick<UnlockOptions, 'other' | 'isForced'>,
): Promise<readonly string[]> {
  const found = other && (await lookAtCluster(other)).row;
  if (other === undefined || found === undefined || found.datastoreReady === false) return [];
  if (row.clusterGUID === undefined || found.clusterGUID !== row.clusterGUID) return [];
  const [here, there] = [sideText(context), sideText(other)];
  if (isForced) return [`Unlocked although ${there} is not locked either.`];
  throw new PreconditionError(
    `${here} stays locked: ${there} holds the same cluster and is not locked, and the two would give out the same addresses`,
    {
      hint: `lock ${there} first, or leave ${here} locked; --force unlocks all the same`,
      details: { unlocked: other.datastore.describe() },
    },
  );
}

function sideText({ datastore }: OperationContext): string {
  const { datastore: kind, server } = datastore.describe();
  const name = kind === 'etcd' ? 'etcd' : 'the Kubernetes datastore';
  return server === undefined ? name : `${name} at ${server}`;
}

function unlocked(row: ClusterInformationRow): ClusterInformationRow {
  return {
    ...row,
    datastoreReady: true,
    object: withAnnotation(
      withAnnotation(row.object, LOCK_MARK, undefined),
      RENAMED_MARK,
      undefined,
    ),
  };
}
