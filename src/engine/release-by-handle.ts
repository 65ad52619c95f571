import { EngineError } from '../errors/engine-error.ts';
import { releaseHandle } from '../ipam/allocator/release.ts';
import { comparableHandleId } from '../ipam/handle-id.ts';
import type { PoolRow } from '../ipam/model/pool.ts';
import { type Cidr, formatCidr } from '../net/cidr.ts';
import { followRelease } from './after-release.ts';
import { coolingOf, type EngineConfig, type EngineContext, readConfig } from './engine-context.ts';
import { withRetries } from './lost-race.ts';
import { storeReleased } from './release-addresses.ts';

/**
 * Releases every address of a handle, block by block; the first failure ends the walk, and blocks after it keep their
 * addresses.
 *
 * @throws {@link EngineError} `not-found` when there is no such handle, `empty-handle`, `max-retries`
 * Source: Calico libcalico-go lib/ipam, ReleaseByHandle.
 */
export async function releaseAllOfHandle(context: EngineContext, handle: string): Promise<void> {
  const id = comparableHandleId(handle);
  if (id === '') throw new EngineError('empty-handle', 'an empty text is no handle');
  const row = await context.store.handle(id);
  if (!row)
    throw new EngineError('not-found', `there is no handle "${id}"`, { details: { handle: id } });
  const config = await readConfig(context);
  const pools = await context.store.pools();
  for (const { cidr } of row.counts)
    if (cidr) await releaseInBlock(context, id, { cidr, config, pools });
}

async function releaseInBlock(
  context: EngineContext,
  handle: string,
  {
    cidr,
    config,
    pools,
  }: { readonly cidr: Cidr; readonly config: EngineConfig; readonly pools: readonly PoolRow[] },
): Promise<void> {
  const released = await withRetries(`releasing block ${formatCidr(cidr)}`, async () => {
    const block = await context.store.block(cidr);
    const result = block && releaseHandle(block, { handle }, coolingOf(context, config));
    if (!result || result.count === 0) return undefined;
    await storeReleased(context, result.block);
    return result;
  });
  if (!released) return;
  await followRelease(
    context,
    { block: released.block, counts: new Map([[handle, released.count]]) },
    pools,
  );
}
