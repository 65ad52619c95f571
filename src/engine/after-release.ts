import { ToolError } from '../errors/tool-error.ts';
import type { BlockRow } from '../ipam/model/block.ts';
import type { PoolRow } from '../ipam/model/pool.ts';
import type { EngineContext } from './engine-context.ts';
import { lowerHandle } from './handle-index.ts';
import { releaseIfNotSelected } from './node-selection.ts';

/** What was released in a block. */
export interface ReleasedBlock {
  /** As it was written. */
  readonly block: BlockRow;
  /** Number of addresses per handle. */
  readonly counts: ReadonlyMap<string, number>;
}

/**
 * What follows a release: the handles count down, and a block that is empty now is given up if its pool does not want the
 * node any more.
 *
 * @remarks The addresses are released whatever comes of this. A row that is missing or counts too little is no failure, a
 * count that stays too high misleads nobody, and an abort does not stop here.
 * Source: Calico libcalico-go lib/ipam, which logs what goes wrong here.
 */
export async function followRelease(
  context: EngineContext,
  { block, counts }: ReleasedBlock,
  pools: readonly PoolRow[],
): Promise<void> {
  const finishing = { ...context, store: context.store.unabortable() };
  for (const [handle, by] of counts) {
    await lowerHandle(finishing, handle, { block: block.cidr, by }).catch(unlessBug);
  }
  await releaseIfNotSelected(finishing, block, pools).catch(unlessBug);
}

function unlessBug(error: unknown): void {
  if (!(error instanceof ToolError)) throw error;
}
