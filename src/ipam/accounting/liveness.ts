import type { ResourceKind } from '../model/resource.ts';
import type { Allocation, Carrier, ClusterState } from '../state/cluster-state.ts';
import { type Standing, type StandingReason, mayBeCarriedUnseen, standingOf } from './standing.ts';

/** The moment of judgement and what counts as young, both in milliseconds. */
export interface JudgementContext {
  readonly now: number;
  readonly minAgeMs: number;
}

/** Why a leaked address must stay for now. */
export type KeepReason =
  'carried-otherwise' | 'carrier-unreadable' | 'young' | 'shares-live-handle' | 'evidence-missing';

/** The verdict on one allocation. */
export interface Judgement {
  readonly standing: Standing;
  readonly why: StandingReason;
  /** Everything alive that shows the address, of whatever use. */
  readonly carriers: readonly Carrier[];
  /** Kinds that were not read and would have to be, for `unknown`. */
  readonly missing: readonly ResourceKind[];
  /** A leak that a release would take now. */
  readonly releasable: boolean;
  /** For a leak that is not releasable. */
  readonly keptBecause: KeepReason | undefined;
}

/** Kinds that may carry an address of another use than its own, so that a release needs all of them. */
const ALL_EVIDENCE: readonly ResourceKind[] = ['Pod', 'Node', 'Service'];

/** Says who holds an allocation, and whether a release may take it. Never calls a leak what may be alive. */
export function judgeAllocation(
  state: ClusterState,
  allocation: Allocation,
  context: JudgementContext,
): Judgement {
  const stand = standingOf(state, allocation);
  const carriers = state.carriersOf(allocation.address);
  const keptBecause =
    stand.standing === 'leaked' ? keepReason(state, allocation, context) : undefined;
  return {
    standing: stand.standing,
    why: stand.why,
    carriers,
    missing: stand.missing ?? [],
    releasable: stand.standing === 'leaked' && keptBecause === undefined,
    keptBecause,
  };
}

/** Whether the allocation was made less than the minimum age ago; one without a time is not young. */
export function isYoungAllocation(allocation: Allocation, context: JudgementContext): boolean {
  const { allocatedAt } = allocation;
  return allocatedAt !== undefined && context.now - allocatedAt < context.minAgeMs;
}

/** Whether a row was created less than the minimum age ago; one without a time is not young. */
export function isYoungRow(createdAt: number | undefined, context: JudgementContext): boolean {
  return createdAt !== undefined && context.now - createdAt < context.minAgeMs;
}

/** Why a leak must stay: itself, or an address of its handle, since a handle goes whole or not at all. */
function keepReason(
  state: ClusterState,
  allocation: Allocation,
  context: JudgementContext,
): KeepReason | undefined {
  const own = ownKeepReason(state, allocation, context);
  if (own !== undefined || allocation.handleId === undefined) return own;
  return isHandleAlive(state, allocation.handleId, context) ? 'shares-live-handle' : undefined;
}

function ownKeepReason(
  state: ClusterState,
  allocation: Allocation,
  context: JudgementContext,
): KeepReason | undefined {
  if (ALL_EVIDENCE.some((kind) => !state.isLoaded(kind))) return 'evidence-missing';
  if (state.carriersOf(allocation.address).length > 0) return 'carried-otherwise';
  if (mayCarryUnseen(state, allocation)) return 'carrier-unreadable';
  return isYoungAllocation(allocation, context) ? 'young' : undefined;
}

/**
 * Whether something that cannot be read may carry the address, although it is recorded for somebody else: what runs on
 * its node, that node itself, and any Service where the address is one of Services.
 */
function mayCarryUnseen(state: ClusterState, { kind, node }: Allocation): boolean {
  if (mayBeCarriedUnseen(state, node)) return true;
  if (kind === 'LoadBalancer' && state.mayBeUnreadable('Service')) return true;
  if (node === undefined) return false;
  return (
    state.mayBeUnreadable('Node', { name: node }) ||
    (state.node(node)?.unreadableTunnels.length ?? 0) > 0
  );
}

/** Answers per state, moment and handle: a handle of many addresses is asked about once for each of them. */
const answers = new WeakMap<ClusterState, Map<string, boolean>>();

/** Whether any address of the handle is alive, may be alive, or is young. */
function isHandleAlive(state: ClusterState, handleId: string, context: JudgementContext): boolean {
  const known = answers.get(state) ?? new Map<string, boolean>();
  answers.set(state, known);
  const question = `${context.now} ${context.minAgeMs} ${handleId}`;
  const answer =
    known.get(question) ??
    state
      .allocationsOf(handleId)
      .some(
        (sibling) =>
          !sibling.cooling &&
          (standingOf(state, sibling).standing !== 'leaked' ||
            ownKeepReason(state, sibling, context) !== undefined),
      );
  known.set(question, answer);
  return answer;
}
