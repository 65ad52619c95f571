import { affinitySubject } from '../../check/claims.ts';
import type { KeptAs, PlanItem } from '../../ipam/plan.ts';
import type { Affinity, ClusterState } from '../../ipam/state/cluster-state.ts';
import type { ResourceKey } from '../../ipam/model/resource.ts';
import { type ReleaseTools, rethrowIfHopeless } from '../release/release-tools.ts';
import { keptByWorkload } from '../repairs/live-in-range.ts';
import { withRetries } from '../with-retries.ts';

/** A row that is left of a release of a block, and goes. */
export interface UnfinishedRelease {
  readonly item: PlanItem;
  readonly row: ResourceKey;
}

/**
 * Rows of hosts that are marked for deletion and whose block has gone: a releaser was cut short before its last write. No
 * other release cleans them up, and a row that its host has claimed again is not marked any more.
 *
 * Departs from upstream: Calico's collector leaves them until the host claims the same block again.
 */
export function unfinishedReleases(state: ClusterState): readonly Affinity[] {
  if (state.mayBeUnreadable('IPAMBlock')) return [];
  return state.affinities.filter(
    ({ type, host, cidr, state: is }) =>
      is === 'pendingDeletion' &&
      type === 'host' &&
      state.blocksOf(cidr).length === 0 &&
      keptByWorkload(state, host, cidr) === undefined,
  );
}

/** The rows that go, without those of nodes that are cleaned up whole. */
export function releasesToFinish(
  state: ClusterState,
  absentNodes: readonly string[],
): readonly UnfinishedRelease[] {
  return unfinishedReleases(state)
    .filter(({ host }) => !absentNodes.includes(host))
    .map((row) => ({ row: row.key, item: itemOf(row) }));
}

function itemOf(row: Affinity): PlanItem {
  return {
    action: 'delete-affinity',
    subject: affinitySubject(row),
    precondition: 'still marked for deletion',
    reason: 'the release of its block was cut short: the block has gone, and the row is left',
  };
}

/** Deletes the row unless its host has claimed the block again. */
export async function finishRelease(
  { item, row }: UnfinishedRelease,
  tools: ReleaseTools,
): Promise<void> {
  const { context, ledger } = tools;
  try {
    const kept = await withRetries(context, (attempt) => finishOnce(row, tools, attempt));
    if (kept === undefined) ledger.applied(item);
    else ledger.kept(item, kept.end, kept.reason);
  } catch (error) {
    rethrowIfHopeless(error, tools);
    ledger.failed(item, error);
  }
}

async function finishOnce(
  key: ResourceKey,
  { access, writer }: ReleaseTools,
  attempt: number,
): Promise<{ readonly end: KeptAs; readonly reason: string } | undefined> {
  const row = await access.read('BlockAffinity', key, attempt);
  if (row === undefined || row.deleted) return { end: 'already', reason: 'the row is gone' };
  if (row.state !== 'pendingDeletion')
    return { end: 'harmless', reason: 'its host has claimed the block again' };
  await writer.remove(row, { action: 'delete-affinity' });
  return undefined;
}
