import { NotFoundError } from '../../errors/not-found-error.ts';
import { judgeAllocation } from '../../ipam/accounting/liveness.ts';
import { allocationSubject } from '../../check/facts.ts';
import type { PlanItem, PlanSubject } from '../../ipam/plan.ts';
import type { Row } from '../../ipam/model/row.ts';
import { handleName } from '../../ipam/model/names.ts';
import type { Allocation, ClusterState } from '../../ipam/state/cluster-state.ts';
import { formatAddress } from '../../net/address.ts';
import { formatCidr } from '../../net/cidr.ts';
import type { OperationContext } from '../context.ts';
import { assertBlocksLoaded } from '../guards.ts';
import { type Look, takeLook } from '../look.ts';
import { type ReleasePolicy, ReleasePlanner } from './release-plan.ts';
import type { ReleaseSelection } from './release-selection.ts';

/** What is chosen of all leaks. */
export interface LeakedOptions {
  readonly minAgeMs: number;
  /** Only allocations of this node. */
  readonly node?: string | undefined;
}

/** Nothing was asked for by name, so what turns out to be in use is no refusal. */
const POLICY: ReleasePolicy = {
  isForced: false,
  alive: 'harmless',
  young: 'harmless',
  unjudged: 'unjudged',
};

const NOT_YET = 'it was not leaked yet at the first of two looks';
const NO_LONGER = 'it is not leaked any more';

/**
 * Chooses what is leaked in two looks with the same handle and sequence number.
 * @throws {@link NotFoundError} when nothing is known of the node.
 */
export async function selectLeaked(
  context: OperationContext,
  options: LeakedOptions,
): Promise<ReleaseSelection> {
  const first = await takeLook(context, context.datastore.capabilities.live ? undefined : isClaim);
  assertBlocksLoaded(first.state);
  if (options.node !== undefined) assertKnown(first.state, options.node);
  const offered = offeredIn(first, options);
  const look = await secondLook(context, first, offered);
  const isOffered = (allocation: Allocation): boolean =>
    offered.allocations.has(identityOf(allocation));
  const judgement = { now: look.now, minAgeMs: options.minAgeMs };
  const planner = new ReleasePlanner(look.state, judgement, { ...POLICY, isOffered });
  const open = new Map(offered.allocations);
  for (const allocation of look.state.allocations()) {
    open.delete(identityOf(allocation));
    if (allocation.cooling || !isOfNode(allocation, options.node)) continue;
    const { standing, missing, releasable } = judgeAllocation(look.state, allocation, judgement);
    if (releasable && !isOffered(allocation)) planner.keep(allocation, 'harmless', NOT_YET);
    else if (standing === 'leaked' || missing.length > 0) planner.consider(allocation);
    else if (isOffered(allocation)) planner.keep(allocation, 'harmless', NO_LONGER);
  }
  return {
    look,
    units: planner.units,
    handles: [],
    items: [...planner.items, ...[...open.values()].map(goneItem)],
  };
}

/** What the first look offers: identities of leaks, and the rows that would be written. */
interface Offered {
  readonly allocations: ReadonlyMap<string, PlanSubject>;
  readonly rows: ReadonlySet<string>;
}

function isClaim(row: Row): boolean {
  return row.kind === 'IPAMBlock' || row.kind === 'IPAMHandle';
}

function offeredIn({ state, now }: Look, { minAgeMs, node }: LeakedOptions): Offered {
  const allocations = new Map<string, PlanSubject>();
  const rows = new Set<string>();
  for (const allocation of state.allocations()) {
    if (allocation.cooling || !judgeAllocation(state, allocation, { now, minAgeMs }).releasable)
      continue;
    if (!isOfNode(allocation, node) && !isSiblingOfNode(state, allocation, node)) continue;
    allocations.set(identityOf(allocation), allocationSubject(allocation));
    rows.add(`IPAMBlock ${allocation.block.key.name}`);
    const { handleId } = allocation;
    if (handleId !== undefined)
      rows.add(`IPAMHandle ${handleId}`).add(`IPAMHandle ${handleName(handleId)}`);
  }
  return { allocations, rows };
}

/** An address of another node goes with one of this node when they share a handle. */
function isSiblingOfNode(
  state: ClusterState,
  { handleId }: Allocation,
  node: string | undefined,
): boolean {
  return (
    handleId !== undefined &&
    state.allocationsOf(handleId).some((sibling) => isOfNode(sibling, node))
  );
}

function goneItem(subject: PlanSubject): PlanItem {
  const reason = 'it was released or given out again between the two looks';
  return { action: 'release-address', subject, precondition: '', reason, kept: 'harmless' };
}

/** A source that does not change is looked at once: a second look would be the same. */
async function secondLook(
  context: OperationContext,
  first: Look,
  { allocations, rows }: Offered,
): Promise<Look> {
  if (!context.datastore.capabilities.live || allocations.size === 0) return first;
  return takeLook(context, ({ kind, key }) => rows.has(`${kind} ${key.name}`));
}

function isOfNode(allocation: Allocation, node: string | undefined): boolean {
  return node === undefined || allocation.node === node;
}

/** A name that nothing knows is a slip of the pen, not a node without leaks. */
function assertKnown(state: ClusterState, node: string): void {
  if (state.node(node) || state.affinities.some(({ host }) => host === node)) return;
  if (state.blocks.some((block) => block.node === node)) return;
  for (const allocation of state.allocations()) if (allocation.node === node) return;
  throw new NotFoundError(`there is no node ${node}, and no block or address of that name`, {
    details: { node },
  });
}

function identityOf({ address, block, handle, sequenceNumber }: Allocation): string {
  return `${formatAddress(address)} ${formatCidr(block.cidr)} ${sequenceNumber} ${handle ?? ''}`;
}
