import type { BlockOwner } from '../ipam/block-owner.ts';
import type { EngineContext } from './engine-context.ts';
import { releaseAffinitiesOf } from './release-affinities.ts';

/**
 * Releases all blocks of an owner that is gone, and what etcd notes about the host; addresses stay.
 *
 * Source: Calico libcalico-go lib/ipam, RemoveIPAMHost.
 */
export async function removeHost(context: EngineContext, owner: BlockOwner): Promise<void> {
  await releaseAffinitiesOf(context, owner, false);
  await context.store.forgetHost(owner.host);
}
