import { attributeAt, isCooling } from '../../ipam/allocator/block-content.ts';
import { comparableHandleId } from '../../ipam/handle-id.ts';
import type { BlockRow } from '../../ipam/model/block.ts';
import type { HandleRow } from '../../ipam/model/handle.ts';
import type { PlanItem } from '../../ipam/plan.ts';
import type { ClusterState } from '../../ipam/state/cluster-state.ts';
import { addressAt } from '../../net/address.ts';
import { type Cidr, cidrsEqual, formatCidr, parseCidr } from '../../net/cidr.ts';
import type { RecordedWrite, UndoHistory } from '../undo/undo-log.ts';

/** Addresses that an interrupted run has released and not taken off their handle. */
export interface PendingLowering {
  readonly handleId: string;
  readonly cidr: Cidr;
  readonly count: number;
  readonly item: PlanItem;
}

/**
 * Finds what an interrupted run has left: a handle is lowered after its blocks, so its counts may be too high. Only what
 * the undo file proves is taken off, and never more than the handle counts beyond what the blocks hold.
 */
export function pendingLowerings(
  history: UndoHistory | undefined,
  state: ClusterState,
): readonly PendingLowering[] {
  if (history === undefined) return [];
  const pending = new Map<string, number>();
  const seen = new Set<string>();
  for (const write of history.writes) {
    if (write.result === 'failed') continue;
    if (write.before?.kind === 'IPAMBlock')
      addReleased(pending, { write, block: write.before, seen }, state);
    if (write.before?.kind === 'IPAMHandle')
      subtractLowered(pending, { write, handle: write.before }, state);
  }
  return [...pending].flatMap(([key, count]) => lowering(key, count, state));
}

function addReleased(
  pending: Map<string, number>,
  { write, block, seen }: { write: RecordedWrite; block: BlockRow; seen: Set<string> },
  state: ClusterState,
): void {
  const after = write.after?.kind === 'IPAMBlock' ? write.after : undefined;
  for (const ordinal of block.allocations.keys()) {
    const handle = heldBy(block, ordinal);
    if (!handle || (after && heldBy(after, ordinal) !== undefined)) continue;
    const number = block.sequenceNumbers.get(ordinal) ?? 0n;
    const slot = `${formatCidr(block.cidr)} ${ordinal} ${number}`;
    if (seen.has(slot) || isStillHeld(state, block, { ordinal, number })) continue;
    seen.add(slot);
    add(pending, keyOf(handle, block.cidr), 1);
  }
}

/** Handle of an assigned address, empty for none; undefined for a free or cooling one. */
function heldBy(block: BlockRow, ordinal: number): string | undefined {
  const attribute = attributeAt(block, ordinal);
  return attribute && !isCooling(attribute) ? (attribute.handle ?? '') : undefined;
}

/** The write was never carried out. */
function isStillHeld(
  state: ClusterState,
  block: BlockRow,
  { ordinal, number }: { ordinal: number; number: bigint },
): boolean {
  const address = addressAt(block.cidr.base, ordinal);
  return state
    .allocationsAt(address)
    .some(
      (now) =>
        !now.cooling && cidrsEqual(now.block.cidr, block.cidr) && now.sequenceNumber === number,
    );
}

function subtractLowered(
  pending: Map<string, number>,
  { write, handle }: { write: RecordedWrite; handle: HandleRow },
  state: ClusterState,
): void {
  if (write.result === undefined && isUnchanged(state, handle)) return;
  const after = write.after?.kind === 'IPAMHandle' ? write.after : undefined;
  for (const { cidr, count } of handle.counts) {
    if (cidr === undefined) continue;
    const left =
      after?.counts.find((entry) => entry.cidr !== undefined && cidrsEqual(entry.cidr, cidr))
        ?.count ?? 0;
    add(pending, keyOf(handle.id, cidr), left - count);
  }
}

function isUnchanged(state: ClusterState, { id, key, revision }: HandleRow): boolean {
  return state
    .handlesOf(comparableHandleId(id))
    .some((row) => row.key.name === key.name && row.revision === revision);
}

function lowering(key: string, count: number, state: ClusterState): readonly PendingLowering[] {
  const [text = '', ...rest] = key.split(' ');
  const handleId = rest.join(' ');
  const cidr = parseCidr(text);
  if (cidr === undefined) return [];
  const held = state
    .allocationsOf(handleId)
    .filter(({ cooling, block }) => !cooling && cidrsEqual(block.cidr, cidr)).length;
  const recorded = state
    .handlesOf(handleId)
    .flatMap(({ counts }) => counts)
    .filter((entry) => entry.cidr !== undefined && cidrsEqual(entry.cidr, cidr))
    .reduce((sum, entry) => sum + entry.count, 0);
  const excess = Math.min(count, recorded - held);
  if (excess <= 0) return [];
  const name = state.handlesOf(handleId)[0]?.key.name ?? handleId;
  const item: PlanItem = {
    action: 'set-handle-count',
    subject: { kind: 'IPAMHandle', name, handle: handleId, cidr: text },
    precondition: 'it still counts more than the block holds',
    reason: 'an interrupted run has released its addresses and not lowered it',
  };
  return [{ handleId, cidr, count: excess, item }];
}

function keyOf(handle: string, cidr: Cidr): string {
  return `${formatCidr(cidr)} ${comparableHandleId(handle)}`;
}

function add(pending: Map<string, number>, key: string, count: number): void {
  pending.set(key, (pending.get(key) ?? 0) + count);
}
