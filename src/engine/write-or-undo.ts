import type { BlockRow } from '../ipam/model/block.ts';
import type { EngineContext } from './engine-context.ts';
import { isLostRace } from './lost-race.ts';

/**
 * Writes a block whose addresses were counted before, and takes the count back when the write fails.
 *
 * Departs from upstream: when no answer came, and the write may have been stored all the same, the count stays. One that
 * is too high misleads nobody; without one an address that is assigned could not be found by its handle.
 *
 * @throws what the write throws.
 */
export async function writeOrUndo(
  context: EngineContext,
  block: BlockRow,
  undo: (cleaning: EngineContext) => Promise<void>,
): Promise<void> {
  try {
    await context.store.writeBlock(block);
  } catch (error) {
    // The caller's patience may be over, and a handle that is left too high stays so.
    const cleaning = { ...context, store: context.store.unabortable() };
    if (isLostRace(error) || !(await mayBeStored(cleaning, block)))
      await undo(cleaning).catch(() => undefined);
    throw error;
  }
}

async function mayBeStored({ store }: EngineContext, written: BlockRow): Promise<boolean> {
  try {
    const now = await store.block(written.cidr);
    return now?.sequenceNumber !== written.sequenceNumber;
  } catch {
    return true;
  }
}
