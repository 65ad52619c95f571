import { DataError } from '../../errors/data-error.ts';
import { isSound } from '../../ipam/allocator/block-content.ts';
import { createBlock } from '../../ipam/allocator/create-block.ts';
import { restoreSlots } from '../../ipam/allocator/restore-slots.ts';
import { type BlockOwner, isSameOwner, ownerOfAffinity } from '../../ipam/block-owner.ts';
import type { BlockRow } from '../../ipam/model/block.ts';
import { type Cidr, formatCidr } from '../../net/cidr.ts';
import { withRetries } from '../with-retries.ts';
import { ensureHandles } from './ensure-handles.ts';
import {
  type AddressRestore,
  type BlockWrite,
  keptSlot,
  type RestoreStep,
} from './restore-plan.ts';
import type { RestoreTools } from './restore-tools.ts';

/** A step whose addresses, or whose block, go back. */
export type BlockStep = RestoreStep & { readonly write: BlockWrite };

/** Puts addresses back into their block, and the block itself if it is gone. Their handles are raised first. */
export async function restoreBlock(step: BlockStep, tools: RestoreTools): Promise<void> {
  const restored = await withRetries(tools.context, (attempt) => restoreOnce(step, tools, attempt));
  for (const { item } of restored) tools.ledger.applied(item);
  if (step.item && !tools.ledger.has(step.item)) tools.ledger.applied(step.item);
}

async function restoreOnce(
  step: BlockStep,
  tools: RestoreTools,
  attempt: number,
): Promise<readonly AddressRestore[]> {
  const { before, after } = step.write;
  const recorded = before ?? after;
  if (recorded === undefined) return [];
  const row = await tools.access.read('IPAMBlock', recorded.key, attempt);
  const current = row?.deleted === true ? undefined : row;
  if (current && !isSound(current)) {
    throw new DataError(
      `block ${formatCidr(current.cidr)} is damaged, and nothing is put back into it`,
    );
  }
  const due = step.addresses.filter(({ item, ordinal }) => {
    const kept = keptSlot(step, current, { ordinal, mayTake: tools.mayTake });
    if (kept) tools.ledger.kept(item, kept.end, kept.reason);
    return kept === undefined;
  });
  if (current) return changeBlock({ step, current, due }, tools);
  return before ? makeBlock({ step, before, due }, tools) : [];
}

async function changeBlock(
  {
    step,
    current,
    due,
  }: {
    readonly step: BlockStep;
    readonly current: BlockRow;
    readonly due: readonly AddressRestore[];
  },
  tools: RestoreTools,
): Promise<readonly AddressRestore[]> {
  if (step.item) tools.ledger.kept(step.item, 'already', 'there is such a block again');
  if (due.length === 0) return [];
  await ensureHandles(due, current.cidr, tools);
  const block = restoreSlots(current, slotsOf(due));
  const isGone =
    step.write.before === undefined && block.allocations.every((index) => index === null);
  const purpose = { action: isGone ? 'delete-block' : 'restore-address' } as const;
  if (isGone) await tools.writer.remove(current, purpose);
  else
    await tools.writer.update(
      current,
      { ...block, sequenceNumber: current.sequenceNumber + 1n },
      purpose,
    );
  return due;
}

async function makeBlock(
  {
    step,
    before,
    due,
  }: {
    readonly step: BlockStep;
    readonly before: BlockRow;
    readonly due: readonly AddressRestore[];
  },
  tools: RestoreTools,
): Promise<readonly AddressRestore[]> {
  const isInTheWay = tools.look.state
    .blocksOverlapping(before.cidr)
    .some(({ key }) => key.name !== before.key.name);
  if (isInTheWay) {
    const reason = 'another block lies in its range now';
    for (const { item } of due) tools.ledger.kept(item, 'refusal', reason);
    if (step.item) tools.ledger.kept(step.item, 'refusal', reason);
    return [];
  }
  await ensureHandles(due, before.cidr, tools);
  const action = due.length > 0 ? 'restore-address' : 'create-object';
  await tools.writer.create(await madeAnew(before, due, tools), { action });
  return due;
}

/** A block as it was, with numbers that it never had; owned only if the row of its owner stands. */
async function madeAnew(
  before: BlockRow,
  due: readonly AddressRestore[],
  tools: RestoreTools,
): Promise<BlockRow> {
  const recorded = ownerOfAffinity(before.affinity);
  const owner = recorded && (await hasRow(recorded, before.cidr, tools)) ? recorded : undefined;
  const byTime = BigInt(Math.trunc(tools.context.clock.now())) * 1_000_000n;
  const later = before.sequenceNumber + 2n;
  const block = createBlock({
    key: before.key,
    cidr: before.cidr,
    owner,
    claimedAt: owner && before.claimedAt,
    sequenceNumber: byTime > later ? byTime : later,
  });
  return { ...restoreSlots(block, slotsOf(due)), object: before.object };
}

async function hasRow(
  owner: BlockOwner,
  cidr: Cidr,
  { access, writer }: RestoreTools,
): Promise<boolean> {
  const row = await access.read('BlockAffinity', writer.keys.affinity(owner, cidr));
  return row !== undefined && !row.deleted && isSameOwner(row, owner);
}

function slotsOf(due: readonly AddressRestore[]) {
  return new Map(due.map(({ ordinal, attribute }) => [ordinal, attribute]));
}
