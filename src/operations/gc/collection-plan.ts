import { blockSubject } from '../../check/claims.ts';
import type { Suspect } from '../../ipam/collector/classify-node.ts';
import {
  type CollectorScan,
  type ScanContext,
  scanCluster,
} from '../../ipam/collector/collector-scan.ts';
import {
  emptyIdentity,
  leakIdentity,
  type Observations,
  type Observed,
} from '../../ipam/collector/observations.ts';
import type { Block } from '../../ipam/state/cluster-state.ts';
import type { PlanItem } from '../../ipam/plan.ts';
import { formatTime } from '../../support/time.ts';
import type { Look } from '../look.ts';
import { type AddressUnit, ReleasePlanner } from '../release/release-plan.ts';
import { type ClaimTask, emptyTasks, orphanTasks } from './claim-tasks.ts';
import { releasesToFinish, type UnfinishedRelease } from './unfinished-releases.ts';

/** A block whose cooled addresses go back to the free ones. */
export interface ColdTask {
  readonly item: PlanItem;
  readonly block: Block;
}

/** All that one round cleans up, in the order in which it is written. */
export interface CollectionPlan {
  readonly units: readonly AddressUnit[];
  readonly cold: readonly ColdTask[];
  readonly empty: readonly ClaimTask[];
  readonly orphaned: readonly ClaimTask[];
  readonly unfinished: readonly UnfinishedRelease[];
  /** Items of all of these, and of leaks that are not released yet. */
  readonly items: readonly PlanItem[];
}

/**
 * Plans a round by the last look: nothing is taken that earlier looks have not confirmed, or that this one does not show
 * any more.
 */
export function planCollection(
  look: Look,
  observed: Observed,
  context: ScanContext,
): CollectionPlan {
  const scan = scanCluster(look.state, context);
  const planner = leakPlanner(look, { scan, observed, context });
  const { units } = planner;
  const cold = coldTasks(scan);
  const empty = emptyTasks(confirmedEmpty(scan, observed), look.state);
  const orphaned = orphanTasks(scan.absentNodes, { state: look.state, units, context });
  const unfinished = releasesToFinish(look.state, scan.absentNodes);
  const tasks = [...cold, ...empty, ...orphaned, ...unfinished];
  return {
    ...{ units, cold, empty, orphaned, unfinished },
    items: [...planner.items, ...tasks.map(({ item }) => item)],
  };
}

interface LeakInput {
  readonly scan: CollectorScan;
  readonly observed: Observed;
  readonly context: ScanContext;
}

/** All addresses of a handle have to be confirmed, or none of it goes. */
function leakPlanner(look: Look, { scan, observed, context }: LeakInput): ReleasePlanner {
  const suspects = new Set(scan.suspects.map(({ allocation }) => leakIdentity(allocation)));
  const isConfirmed = (id: string) => suspects.has(id) && observed.confirmedLeaks.has(id);
  const planner = new ReleasePlanner(
    look.state,
    { now: look.now, minAgeMs: context.minAgeMs },
    {
      isForced: false,
      alive: 'harmless',
      young: 'harmless',
      unjudged: 'harmless',
      isOffered: (allocation) => isConfirmed(leakIdentity(allocation)),
    },
  );
  for (const suspect of scan.suspects) {
    if (isConfirmed(leakIdentity(suspect.allocation))) planner.consider(suspect.allocation);
    else planner.keep(suspect.allocation, 'harmless', waitingText(suspect, observed.observations));
  }
  return planner;
}

function waitingText({ allocation, graceMs }: Suspect, { leaks }: Observations): string {
  const seen = leaks.get(leakIdentity(allocation));
  if (seen === undefined) return 'it was not leaked yet at the look before';
  if (graceMs === 0)
    return 'it is leaked, but without a grace period nothing of a live node is released';
  const due = formatTime(seen.since + (graceMs ?? 0));
  return `it is leaked, and released if that is still so after ${due}`;
}

function coldTasks({ coldBlocks }: CollectorScan): readonly ColdTask[] {
  return coldBlocks.map((block) => ({
    block,
    item: {
      action: 'collect-cooled',
      subject: blockSubject(block),
      precondition: 'still cooling for longer than configured',
      reason: 'addresses that were released have cooled',
    },
  }));
}

function confirmedEmpty(
  scan: CollectorScan,
  { confirmedEmpty: ids }: Observed,
): CollectorScan['emptyBlocks'] {
  return scan.emptyBlocks.filter((empty) => ids.has(emptyIdentity(empty)));
}
