import { attributeAt, isCooling } from '../../ipam/allocator/block-content.ts';
import { raiseCount } from '../../ipam/allocator/handle-counts.ts';
import { comparableHandleId } from '../../ipam/handle-id.ts';
import type { BlockRow } from '../../ipam/model/block.ts';
import type { HandleRow } from '../../ipam/model/handle.ts';
import { type Cidr, cidrsEqual } from '../../net/cidr.ts';
import { withRetries } from '../with-retries.ts';
import type { AddressRestore } from './restore-plan.ts';
import type { RestoreTools } from './restore-tools.ts';

/**
 * Makes each handle count at least what the block will hold of it, before the block is written: an address whose handle
 * does not know it is found by nobody. A row that went back already counts enough.
 */
export async function ensureHandles(
  due: readonly AddressRestore[],
  cidr: Cidr,
  tools: RestoreTools,
): Promise<void> {
  const unsure = due.filter(
    ({ attribute, handleId }) =>
      attribute !== undefined &&
      !isCooling(attribute) &&
      handleId !== undefined &&
      !tools.settled.has(handleId),
  );
  if (unsure.length === 0) return;
  const byHandle = Map.groupBy(unsure, ({ handleId }) => handleId);
  const block = await tools.access.read('IPAMBlock', tools.writer.keys.block(cidr));
  for (const [handleId, addresses] of byHandle) {
    if (handleId === undefined || isWindows(handleId)) continue;
    const held = block && !block.deleted ? heldBy(block, handleId) : 0;
    await ensureHandle(handleId, { cidr, count: held + addresses.length }, tools);
  }
}

function isWindows(handleId: string): boolean {
  return handleId.toLowerCase() === 'windows-reserved-ipam-handle';
}

function heldBy(block: BlockRow, handleId: string): number {
  let count = 0;
  for (const ordinal of block.allocations.keys()) {
    const attribute = attributeAt(block, ordinal);
    if (!attribute || isCooling(attribute) || attribute.handle === undefined) continue;
    if (comparableHandleId(attribute.handle) === handleId) count++;
  }
  return count;
}

async function ensureHandle(
  handleId: string,
  { cidr, count }: { readonly cidr: Cidr; readonly count: number },
  { context, access, writer, recorded }: RestoreTools,
): Promise<void> {
  const key = recorded.handleKeys.get(handleId) ?? writer.keys.handle(handleId);
  await withRetries(context, async (attempt) => {
    const row = await access.read('IPAMHandle', key, attempt);
    if (row === undefined || row.deleted) {
      // The row did not exist either when the address was taken.
      if (!recorded.handleKeys.has(handleId)) return;
      const created: HandleRow = {
        kind: 'IPAMHandle',
        key,
        id: handleId,
        counts: [],
        deleted: false,
      };
      await writer.create(raiseCount(created, { block: cidr, by: count }), {
        action: 'create-handle',
      });
      return;
    }
    const counted =
      row.counts.find((entry) => entry.cidr !== undefined && cidrsEqual(entry.cidr, cidr))?.count ??
      0;
    if (counted >= count || !recorded.handleKeys.has(handleId)) return;
    await writer.update(row, raiseCount(row, { block: cidr, by: count - counted }), {
      action: 'set-handle-count',
    });
  });
}
