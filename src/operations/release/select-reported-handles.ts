import type { ReportedHandle } from '../../check/read-report.ts';
import { comparableHandleId } from '../../ipam/handle-id.ts';
import type { PlanItem } from '../../ipam/plan.ts';
import type { ClusterState, Handle } from '../../ipam/state/cluster-state.ts';
import { shownUid } from '../../ipam/model/uid.ts';
import type { Look } from '../look.ts';
import { deleteHandleUnit, type HandleUnit, isYoungHandle, keptHandle } from './handle-units.ts';
import { isUnchanged, reasonToKeep } from './select-handle-rows.ts';

/** What reports offer of handle rows, and the looks taken since. */
export interface OfferedHandles {
  readonly offered: readonly ReportedHandle[];
  readonly look: Look;
  readonly earlier?: Look | undefined;
}

/** Chooses rows that are as the reports have them: same id, uid and revision, and still nothing refers to them. */
export function selectReportedHandles(
  { offered, look, earlier }: OfferedHandles,
  context: { readonly now: number; readonly minAgeMs: number },
): { readonly units: readonly HandleUnit[]; readonly items: readonly PlanItem[] } {
  const units: HandleUnit[] = [];
  const items: PlanItem[] = [];
  for (const entry of offered) {
    const row = findRow(look.state, entry);
    const item = row ? keptItem(row, entry, { look, earlier, context }) : goneItem(entry);
    if (row && item === undefined) {
      const unit = deleteHandleUnit(row);
      units.push(unit);
      items.push(unit.item);
    } else if (item) items.push(item);
  }
  return { units, items };
}

function findRow(state: ClusterState, { id }: ReportedHandle): Handle | undefined {
  return state.handlesOf(comparableHandleId(id)).find((row) => row.id === id);
}

function goneItem({ id }: ReportedHandle): PlanItem {
  const handleId = comparableHandleId(id);
  return keptHandle(
    { key: { name: handleId }, handleId },
    'already',
    'it was deleted since the report',
  );
}

function keptItem(
  row: Handle,
  entry: ReportedHandle,
  {
    look,
    earlier,
    context,
  }: Omit<OfferedHandles, 'offered'> & {
    readonly context: { readonly now: number; readonly minAgeMs: number };
  },
): PlanItem | undefined {
  if (row.revision !== entry.revision || !isSameUid(row.uid, entry.uid)) {
    return keptHandle(row, 'refusal', 'it has changed since the report, so it may be in use');
  }
  if (isYoungHandle(row, context)) return keptHandle(row, 'harmless', 'it was made only just now');
  const reason = reasonToKeep(look.state, row, context);
  if (reason !== undefined) return keptHandle(row, 'refusal', reason);
  if (earlier === undefined || isUnchanged(row, earlier.state, look.state)) return undefined;
  return keptHandle(row, 'refusal', 'a block of it changed between two looks, so it may be in use');
}

/** The older group's clients show uids in another form. */
function isSameUid(uid: string | undefined, reported: string | undefined): boolean {
  if (uid === undefined || reported === undefined) return uid === reported;
  return uid === reported || shownUid(uid) === reported;
}
