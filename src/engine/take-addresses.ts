import { assignFromQueue } from '../ipam/allocator/assign.ts';
import type { Holder } from '../ipam/allocator/attribute-records.ts';
import type { IsReserved } from '../ipam/allocator/block-content.ts';
import { collectCooled } from '../ipam/allocator/collect-cooled.ts';
import type { BlockOwner } from '../ipam/block-owner.ts';
import type { BlockRow } from '../ipam/model/block.ts';
import type { Address } from '../net/address.ts';
import { coolingOf, type EngineConfig, type EngineContext } from './engine-context.ts';
import { lowerHandle, raiseHandle } from './handle-index.ts';
import { writeOrUndo } from './write-or-undo.ts';

/** What to take from a block that exists. */
export interface TakeRequest {
  readonly holder: Holder;
  readonly count: number;
  readonly config: EngineConfig;
  readonly isReserved: IsReserved | undefined;
  /** Set where only this owner may take from the block. */
  readonly onlyFor: BlockOwner | undefined;
  /** Most addresses of the handle per IP version; 0 for no limit. */
  readonly maxPerHandle: number;
}

/**
 * Takes up to so many addresses from a block and counts them for the handle. Nothing is written when there are none.
 *
 * Departs from upstream: the handle is raised by what the block gave, not by what was asked for, since a count that is
 * never taken back leaves an orphan handle. The limit still tests the number asked for.
 *
 * @throws {@link ConflictError} when the block changed in between, {@link EngineError} `handle-cap` and others.
 * Source: Calico libcalico-go lib/ipam, assignment from an existing block.
 */
export async function takeAddresses(
  context: EngineContext,
  block: BlockRow,
  request: TakeRequest,
): Promise<readonly Address[]> {
  const { holder, count, config, isReserved, onlyFor } = request;
  const collected = collectCooled(block, coolingOf(context, config));
  const assigned = assignFromQueue(collected, { ...holder, count, isReserved, onlyFor });
  const { addresses } = assigned;
  if (addresses.length === 0) return [];
  const { handle } = holder;
  const change = { block: block.cidr, by: addresses.length };
  if (handle !== undefined) {
    await raiseHandle(context, handle, {
      ...change,
      cap: { limit: request.maxPerHandle, asked: count },
    });
  }
  await writeOrUndo(context, assigned.block, async (cleaning) => {
    if (handle !== undefined) await lowerHandle(cleaning, handle, change);
  });
  return addresses;
}
