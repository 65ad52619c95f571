import { affinitySubject, blockSubject } from '../../check/claims.ts';
import { type EmptyBlock, isCold, type ScanContext } from '../../ipam/collector/collector-scan.ts';
import type { PlanItem } from '../../ipam/plan.ts';
import type { Affinity, Block, ClusterState } from '../../ipam/state/cluster-state.ts';
import { compareCidrs } from '../../net/cidr.ts';
import type { AddressUnit } from '../release/release-plan.ts';
import type { EmptyClaim } from '../release-empty-claim.ts';
import { keptByWorkload } from '../repairs/live-in-range.ts';

/** A claim that is given up. */
export interface ClaimTask {
  readonly item: PlanItem;
  readonly claim: EmptyClaim;
  /** A node that has to be absent still; undefined for a claim of a live one. */
  readonly absentNode?: string | undefined;
}

/** Empty blocks of live nodes; the last block of a node stays, whatever is in it. */
export function emptyTasks(
  empty: readonly EmptyBlock[],
  state: ClusterState,
): readonly ClaimTask[] {
  const left = new Map<string, number>();
  for (const { node } of state.blocks)
    if (node !== undefined) left.set(node, (left.get(node) ?? 0) + 1);
  return empty.flatMap(({ block, node }): readonly ClaimTask[] => {
    const count = left.get(node) ?? 0;
    if (count <= 1) return [];
    left.set(node, count - 1);
    const item: PlanItem = {
      action: 'delete-block',
      subject: blockSubject(block),
      precondition: 'empty, and still of this node',
      reason: `it has been empty for longer than the grace period, and node ${node} has others`,
    };
    return [{ item, claim: claimOf(state, block, node) }];
  });
}

/** What has to be known of a round to say which blocks it leaves empty. */
export interface OrphanInput {
  readonly state: ClusterState;
  readonly units: readonly AddressUnit[];
  readonly context: ScanContext;
}

/** Blocks of absent nodes that are empty, or become so in this round, and rows of theirs without a block. */
export function orphanTasks(nodes: readonly string[], input: OrphanInput): readonly ClaimTask[] {
  const { state } = input;
  const released = new Set(input.units.map(({ block, ordinal }) => `${block.name} ${ordinal}`));
  return nodes.flatMap((node) => {
    const blocks = state.blocks
      .filter((block) => block.node === node && isEmptied(block, released, input))
      .map((block) => blockTask(state, block, node));
    const rows = state.affinities
      .filter((row) => row.type === 'host' && row.host === node && isBlockless(state, row))
      .sort((a, b) => compareCidrs(a.cidr, b.cidr))
      .map((row) => rowTask(row, node));
    return [...blocks, ...rows].filter(
      ({ range }) => keptByWorkload(state, node, range) === undefined,
    );
  });
}

function isEmptied(
  block: Block,
  released: ReadonlySet<string>,
  { state, context }: OrphanInput,
): boolean {
  if (block.defects.length > 0) return false;
  const { now, cooldownSeconds } = context;
  for (const allocation of state.allocationsIn(block)) {
    if (allocation.cooling ? isCold(allocation, now, cooldownSeconds) : isReserved(allocation))
      continue;
    const isReleased = released.has(`${block.key.name} ${allocation.ordinal}`);
    // With a cooldown a released address keeps its block for a while.
    if (!isReleased || cooldownSeconds > 0) return false;
  }
  return true;
}

function isReserved({ kind }: { readonly kind: string }): boolean {
  return kind === 'WindowsReserved';
}

/** A row for a block of another owner is no leftover but a contradiction, which `ipam repair` judges. */
function isBlockless(state: ClusterState, { cidr }: Affinity): boolean {
  return state.blocksOf(cidr).length === 0 && !state.mayBeUnreadable('IPAMBlock');
}

type RangedTask = ClaimTask & { readonly range: Block['cidr'] };

function blockTask(state: ClusterState, block: Block, node: string): RangedTask {
  const item: PlanItem = {
    action: 'delete-block',
    subject: blockSubject(block),
    precondition: `empty, and node ${node} still absent`,
    reason: `node ${node} does not exist, and nothing is left in its block`,
  };
  return { item, claim: claimOf(state, block, node), absentNode: node, range: block.cidr };
}

function rowTask(row: Affinity, node: string): RangedTask {
  const item: PlanItem = {
    action: 'delete-affinity',
    subject: affinitySubject(row),
    precondition: `node ${node} still absent`,
    reason: `node ${node} does not exist, and its row names a block that is not there`,
  };
  const claim = { owner: { type: 'host', host: node }, block: undefined, affinity: row.key };
  return { item, claim, absentNode: node, range: row.cidr };
}

function claimOf(state: ClusterState, block: Block, node: string): EmptyClaim {
  const row = state
    .affinitiesOf(block.cidr)
    .find(({ type, host }) => type === 'host' && host === node);
  return { owner: { type: 'host', host: node }, block: block.key, affinity: row?.key };
}
