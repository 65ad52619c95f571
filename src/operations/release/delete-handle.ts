import { withRetries } from '../with-retries.ts';
import type { HandleUnit } from './handle-units.ts';
import { type ReleaseTools, rethrowIfHopeless } from './release-tools.ts';

/** Deletes a handle row exactly as it was judged; one that has changed since may be in use. */
export async function deleteHandle(unit: HandleUnit, tools: ReleaseTools): Promise<void> {
  try {
    await withRetries(tools.context, (attempt) => deleteOnce(unit, tools, attempt));
  } catch (error) {
    rethrowIfHopeless(error, tools);
    tools.ledger.failed(unit.item, error);
  }
}

async function deleteOnce(
  { item, key, revision, uid }: HandleUnit,
  { access, ledger, writer }: ReleaseTools,
  attempt: number,
): Promise<void> {
  const row = await access.read('IPAMHandle', key, attempt);
  if (row === undefined) ledger.kept(item, 'already', 'it is gone');
  else if (row.revision !== revision || row.uid !== uid) {
    ledger.kept(item, 'refusal', 'it has changed since it was judged, so it may be in use');
  } else {
    await writer.remove(row, { action: 'delete-handle' });
    ledger.applied(item);
  }
}
