import { isSound } from '../../ipam/allocator/block-content.ts';
import { collectCooled } from '../../ipam/allocator/collect-cooled.ts';
import type { KeptAs } from '../../ipam/plan.ts';
import { applyRelease } from '../release/apply-release.ts';
import { HandleTally } from '../release/handle-tally.ts';
import type { PendingLowering } from '../release/pending-lowerings.ts';
import { type ReleaseTools, rethrowIfHopeless } from '../release/release-tools.ts';
import { releaseEmptyClaim } from '../release-empty-claim.ts';
import { RowAccess } from '../row-access.ts';
import { withRetries } from '../with-retries.ts';
import type { ClaimTask } from './claim-tasks.ts';
import type { CollectionPlan, ColdTask } from './collection-plan.ts';
import { finishRelease } from './unfinished-releases.ts';

/** The tools of one round. */
export type CollectionTools = Omit<ReleaseTools, 'access'>;

/**
 * Carries out a round in the order of Calico's collector: leaks, cooled addresses, empty blocks, absent nodes; then what is
 * left of releases that were cut short. Each item is judged by its row once more, and what fails takes no other along.
 */
export async function applyCollection(
  plan: CollectionPlan & { readonly pending: readonly PendingLowering[] },
  tools: CollectionTools,
): Promise<void> {
  const { context, look, ledger, writer } = tools;
  const access = new RowAccess(context, look.kept);
  writer.onWritten = ({ kind, key }) => access.forget(kind, key);
  const tally = new HandleTally();
  for (const { handleId, cidr, count, item } of plan.pending)
    tally.add(handleId, { cidr, count }, item);
  const rest = {
    handles: [],
    claims: [],
    tally,
    changedHands: 'harmless',
    isForced: false,
  } as const;
  await applyRelease({ ...rest, units: plan.units }, { context, look, ledger, writer });
  const all: ReleaseTools = { ...tools, access };
  for (const task of plan.cold) await collectBlock(task, all);
  for (const task of [...plan.empty, ...plan.orphaned]) await giveUp(task, all);
  for (const task of plan.unfinished) await finishRelease(task, all);
}

/** A block that somebody else has changed meanwhile is read again: the rule holds for whatever it says now. */
async function collectBlock(task: ColdTask, tools: ReleaseTools): Promise<void> {
  const { context, ledger } = tools;
  const { item } = task;
  try {
    const kept = await withRetries(context, (attempt) => collectOnce(task, tools, attempt));
    if (kept === undefined) ledger.applied(item);
    else ledger.kept(item, kept.end, kept.reason);
  } catch (error) {
    rethrowIfHopeless(error, tools);
    ledger.failed(item, error);
  }
}

async function collectOnce(
  { block }: ColdTask,
  { access, writer, look, cooldownSeconds }: ReleaseTools,
  attempt: number,
): Promise<{ readonly end: KeptAs; readonly reason: string } | undefined> {
  const row = await access.read('IPAMBlock', block.key, attempt);
  if (row === undefined || row.deleted) return { end: 'already', reason: 'its block is gone' };
  if (!isSound(row)) return { end: 'harmless', reason: 'its block is damaged' };
  const collected = collectCooled(row, { now: look.now, cooldownSeconds });
  if (collected === row) return { end: 'already', reason: 'it was collected in the meantime' };
  const after = { ...collected, sequenceNumber: row.sequenceNumber + 1n };
  await writer.update(row, after, { action: 'collect-cooled' });
  return undefined;
}

const CLAIM_TEXTS = {
  'block-in-use': 'it is in use again, or cools an address',
  'block-of-another': 'the block has changed its owner in the meantime',
  'row-of-another': 'the row has changed its owner in the meantime',
} as const;

async function giveUp({ item, claim, absentNode }: ClaimTask, tools: ReleaseTools): Promise<void> {
  const { context, ledger } = tools;
  try {
    if (absentNode !== undefined && (await exists(absentNode, tools))) {
      ledger.kept(item, 'harmless', `node ${absentNode} exists again`);
      return;
    }
    const kept = await withRetries(context, (attempt) => releaseEmptyClaim(claim, tools, attempt));
    if (kept === undefined) ledger.applied(item);
    else ledger.kept(item, 'harmless', CLAIM_TEXTS[kept]);
  } catch (error) {
    rethrowIfHopeless(error, tools);
    ledger.failed(item, error);
  }
}

/** The look is a moment old; whoever comes back in between keeps its blocks. */
async function exists(name: string, { context }: ReleaseTools): Promise<boolean> {
  if (!context.datastore.capabilities.live) return false;
  const { signal } = context;
  return (await context.datastore.get('Node', { name }, { signal })) !== undefined;
}
