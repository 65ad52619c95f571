import { DEFAULT_IPAM_CONFIG } from '../../ipam/model/ipam-config.ts';
import { keyText } from '../../ipam/model/resource.ts';
import { mapLimit } from '../../support/map-limit.ts';
import { RowAccess } from '../row-access.ts';
import { deleteHandle } from './delete-handle.ts';
import { HandleGuard } from './handle-guard.ts';
import { lowerHandle } from './lower-handle.ts';
import { releaseDeselectedClaim } from './release-deselected-claim.ts';
import { releaseInBlock } from './release-in-block.ts';
import type { ReleaseTools, ReleaseWork } from './release-tools.ts';

/** Blocks, and after them handles, that are written at a time. */
const IN_FLIGHT = 16;

/**
 * Releases in the order of Calico: blocks, each in one write, then handles, each in one write, then blocks that their
 * owner may not keep. What fails takes only its own items along; a datastore that is gone ends the run.
 */
export async function applyRelease(
  work: ReleaseWork,
  tools: Omit<ReleaseTools, 'access' | 'cooldownSeconds'>,
): Promise<void> {
  const { context, look } = tools;
  const config = look.state.config ?? DEFAULT_IPAM_CONFIG;
  const all: ReleaseTools = {
    ...tools,
    access: new RowAccess(context, look.kept),
    cooldownSeconds: config.ipCooldownSeconds,
  };
  const options = { limit: IN_FLIGHT, signal: context.signal };
  const guard = new HandleGuard(work);
  const blocks = Map.groupBy(work.units, ({ block }) => keyText(block));
  await mapLimit(blocks.values(), options, (units) => releaseInBlock({ units, guard, work }, all));
  await mapLimit(work.tally.lowerings, options, (lowering) => lowerHandle(lowering, all));
  await mapLimit(work.handles, options, (unit) => deleteHandle(unit, all));
  for (const claim of work.claims) await releaseDeselectedClaim(claim, all);
}
