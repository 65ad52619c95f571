import { unreadableBlocks } from '../../check/claims.ts';
import { NotFoundError } from '../../errors/not-found-error.ts';
import { isYoungRow } from '../../ipam/accounting/liveness.ts';
import type { ClusterState, Handle } from '../../ipam/state/cluster-state.ts';
import type { OperationContext } from '../context.ts';
import { LOOKS_APART_MS, type Look, needsSecondLook, takeLook } from '../look.ts';
import { deleteHandleUnit, type HandleUnit, keptHandle } from './handle-units.ts';
import type { ReleaseSelection } from './release-selection.ts';

/** A handle that no allocation refers to, in the first of two looks. */
interface LonelyHandle {
  readonly handleId: string;
  readonly first: Look;
}

/**
 * Chooses the rows of a handle without addresses. An assignment writes the handle before the block, so on a live cluster
 * the row and its blocks have to be the same in two looks.
 * @throws {@link NotFoundError} when there is no row.
 */
export async function selectHandleRows(
  context: OperationContext,
  { handleId, first }: LonelyHandle,
  options: { readonly minAgeMs: number; readonly isForced: boolean },
): Promise<ReleaseSelection> {
  const rows = first.state.handlesOf(handleId);
  if (rows.length === 0) {
    throw new NotFoundError(`there is no handle ${handleId}, and no address of it`, {
      details: { handle: handleId },
    });
  }
  const { isForced, minAgeMs } = options;
  const judged = rows.map((row) => ({
    row,
    kept: isForced ? undefined : reasonToKeep(first.state, row, { now: first.now, minAgeMs }),
  }));
  if (judged.some(({ kept }) => kept !== undefined)) {
    const items = judged.map(({ row, kept }) =>
      keptHandle(row, 'refusal', kept ?? 'another row of the handle has to stay'),
    );
    return { look: first, units: [], handles: [], items };
  }
  const look = isForced ? first : await lookAgain(context, first, handleId);
  const units = rows.map((row) => unitOf(row, first.state, look.state));
  const handles = units.filter((unit) => unit.item.kept === undefined);
  return { look, units: [], handles, items: units.map(({ item }) => item) };
}

/** Why a row without addresses must stay, as a sentence part. */
export function reasonToKeep(
  state: ClusterState,
  handle: Handle,
  context: { readonly now: number; readonly minAgeMs: number },
): string | undefined {
  if (state.allocationsOf(handle.handleId).some(({ cooling }) => !cooling))
    return 'it holds an address';
  const isUnreadable = unreadableBlocks(state);
  const hidden = handle.counts.find(({ cidr }) => cidr !== undefined && isUnreadable(cidr));
  if (hidden) return `it counts addresses in block ${hidden.text}, which cannot be read`;
  return isYoungRow(handle.createdAt, context)
    ? 'it was made only just now, so an assignment may be under way (see --min-age)'
    : undefined;
}

async function lookAgain(context: OperationContext, first: Look, handleId: string): Promise<Look> {
  if (!needsSecondLook(context, first.state)) return first;
  context.progress.step('waiting before the second look');
  await context.clock.sleep(LOOKS_APART_MS, context.signal);
  const names = new Set(first.state.handlesOf(handleId).map(({ key }) => key.name));
  return takeLook(context, ({ kind, key }) => kind === 'IPAMHandle' && names.has(key.name));
}

function unitOf(row: Handle, first: ClusterState, second: ClusterState): HandleUnit {
  const unit = deleteHandleUnit(row);
  if (isUnchanged(row, first, second)) return unit;
  const item = keptHandle(
    row,
    'refusal',
    'it, or a block of it, changed between two looks, so it may be in use',
  );
  return { ...unit, item };
}

/** Whether the row and the blocks that it counts are the same in both looks, and still nothing refers to it. */
export function isUnchanged(handle: Handle, first: ClusterState, second: ClusterState): boolean {
  const now = second.handlesOf(handle.handleId).find(({ key }) => key.name === handle.key.name);
  if (now?.revision !== handle.revision || now?.uid !== handle.uid) return false;
  if (second.allocationsOf(handle.handleId).some(({ cooling }) => !cooling)) return false;
  return handle.counts.every(({ cidr }) => {
    if (cidr === undefined) return true;
    const revisions = (state: ClusterState) =>
      state
        .blocksOf(cidr)
        .map(({ revision }) => revision ?? '')
        .join(' ');
    return revisions(first) === revisions(second);
  });
}
