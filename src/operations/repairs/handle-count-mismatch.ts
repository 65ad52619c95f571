import { unreadableBlocks } from '../../check/claims.ts';
import { handleName } from '../../ipam/model/names.ts';
import type { HandleCount } from '../../ipam/model/handle.ts';
import { isSameRow } from '../undo/same-row.ts';
import { heldCounts, otherIdsOfRow } from './handle-counts.ts';
import { already, type RepairAttempt, refusal, repair } from './repair.ts';

interface MismatchFacts {
  readonly handle: string;
  readonly rows: readonly string[];
}

/** Sets the counts of a handle to what the blocks hold; a row left with none is deleted. */
export const handleCountMismatch = repair<MismatchFacts>({
  code: 'handle-count-mismatch',
  action: 'set-handle-count',
  precondition: 'handle and blocks unchanged since they were read',
  isAboutHandle: true,
  keyOf: ({ facts }) => `handle ${facts.handle}`,
  keep({ facts: { handle } }, { state }) {
    const isUnreadable = unreadableBlocks(state);
    const counts = state.handlesOf(handle).flatMap(({ counts }) => counts);
    const hidden = counts.find(({ cidr }) => cidr !== undefined && isUnreadable(cidr));
    if (hidden) return refusal(`its block ${hidden.text} cannot be read`);
    const isShared = state.handlesOf(handle).some(({ key }) => key.name === handleName(handle));
    const others = isShared ? otherIdsOfRow(state, handle) : [];
    return others.length > 0
      ? refusal(`its row counts for ${others.join(', ')} too, which differs in case only`)
      : undefined;
  },
  async apply({ facts }, tools) {
    // The whole goes into the first row; only damaged ids have several.
    const [first, ...others] = facts.rows;
    const held = heldCounts(tools.look.state, facts.handle);
    let isWritten = false;
    for (const name of [first, ...others]) {
      if (name === undefined) continue;
      const end = await setCounts(
        { name, handle: facts.handle, counts: name === first ? held : [] },
        tools,
      );
      if (end === 'changed') return refusal('it has changed since it was judged');
      if (end === 'written') isWritten = true;
    }
    return isWritten ? undefined : already('its counts are right');
  },
});

async function setCounts(
  {
    name,
    handle,
    counts,
  }: { readonly name: string; readonly handle: string; readonly counts: readonly HandleCount[] },
  { look, access, writer, attempt }: RepairAttempt,
): Promise<'written' | 'same' | 'changed'> {
  const row = await access.read('IPAMHandle', { name }, attempt);
  if (row === undefined || row.deleted) return 'same';
  const after = { ...row, counts };
  if (isSameRow(row, after)) return 'same';
  const judged = look.state.handlesOf(handle).find(({ key }) => key.name === name);
  if (judged?.revision !== row.revision) return 'changed';
  if (counts.length === 0) await writer.remove(row, { action: 'delete-handle' });
  else await writer.update(row, after, { action: 'set-handle-count' });
  return 'written';
}
