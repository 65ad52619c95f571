import { collectCooled } from '../ipam/allocator/collect-cooled.ts';
import type { BlockRow } from '../ipam/model/block.ts';
import { coolingOf, type EngineConfig, type EngineContext } from './engine-context.ts';

/**
 * Returns the addresses of a block whose cooldown is over, in one write under the revision with which the block was read.
 * The block stays even if that empties it.
 *
 * @returns whether there was anything to write.
 * @throws {@link ConflictError} when the block changed in between.
 * Source: Calico libcalico-go lib/ipam, GarbageCollectColdIPs.
 */
export async function collectColdAddresses(
  context: EngineContext,
  config: Pick<EngineConfig, 'ipCooldownSeconds'>,
  block: BlockRow,
): Promise<boolean> {
  const collected = collectCooled(block, coolingOf(context, config));
  if (collected === block) return false;
  await context.store.writeBlock(collected);
  return true;
}
