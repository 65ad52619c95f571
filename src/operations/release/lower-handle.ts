import type { ResourceKey } from '../../ipam/model/resource.ts';
import { withRetries } from '../with-retries.ts';
import { type ReleaseTools, rethrowIfHopeless } from './release-tools.ts';
import { type HandleLowering, loweredRow } from './handle-tally.ts';

/** Takes released addresses off their handle; a row that holds nothing any more is deleted. */
export async function lowerHandle(lowering: HandleLowering, tools: ReleaseTools): Promise<void> {
  const { ledger } = tools;
  try {
    for (const key of rowsOf(lowering, tools)) await lowerRow(key, lowering, tools);
    for (const item of lowering.items) if (!ledger.has(item)) ledger.applied(item);
  } catch (error) {
    rethrowIfHopeless(error, tools);
    for (const item of lowering.items) ledger.failed(item, error);
  }
}

/** Rows of the id, most often one; the one that it would have when the look has shown none. */
function rowsOf(
  { handleId }: HandleLowering,
  { look, writer }: ReleaseTools,
): readonly ResourceKey[] {
  const known = look.state.handlesOf(handleId).map(({ key }) => key);
  return known.length > 0 ? known : [writer.keys.handle(handleId)];
}

async function lowerRow(
  key: ResourceKey,
  { counts }: HandleLowering,
  tools: ReleaseTools,
): Promise<void> {
  const { context, access, writer } = tools;
  await withRetries(context, async (attempt) => {
    const row = await access.read('IPAMHandle', key, attempt);
    // A missing row, or a count that is too low, is no failure: nothing is left to lower.
    if (row === undefined || row.deleted) return;
    const after = loweredRow(row, counts.values());
    if (after === row) return;
    if (after === undefined) await writer.remove(row, { action: 'delete-handle' });
    else await writer.update(row, after, { action: 'set-handle-count' });
  });
}
