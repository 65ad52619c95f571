import { releaseEmptyClaim } from '../release-empty-claim.ts';
import { withRetries } from '../with-retries.ts';
import type { ClaimUnit } from './claim-unit.ts';
import { type ReleaseTools, rethrowIfHopeless } from './release-tools.ts';

/** Gives up a block that the release has emptied, unless something was assigned in it since. */
export async function releaseDeselectedClaim(unit: ClaimUnit, tools: ReleaseTools): Promise<void> {
  const { context, ledger } = tools;
  try {
    // The release itself has written the block, so it is read anew.
    const kept = await withRetries(context, () => releaseEmptyClaim(unit, tools, 2));
    if (kept === undefined) ledger.applied(unit.item);
    else ledger.kept(unit.item, 'harmless', 'it is in use again, or of another owner');
  } catch (error) {
    rethrowIfHopeless(error, tools);
    ledger.failed(unit.item, error);
  }
}
