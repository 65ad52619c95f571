import type { WritableRow } from '../../datastore/datastore.ts';
import { comparableHandleId } from '../../ipam/handle-id.ts';
import { withMarksOf } from '../../ipam/marks.ts';
import type { HandleRow } from '../../ipam/model/handle.ts';
import { formatCidr } from '../../net/cidr.ts';
import { withRetries } from '../with-retries.ts';
import { restoreAction } from './restore-action.ts';
import { keptRow, type RestoreStep } from './restore-plan.ts';
import type { RestoreTools } from './restore-tools.ts';

/** Takes one write of a row back, if the row still is as the write left it. */
export async function restoreRow(
  step: RestoreStep,
  isFirstWrite: boolean,
  tools: RestoreTools,
): Promise<void> {
  const { ledger, context } = tools;
  const kept = await withRetries(context, (attempt) =>
    restoreOnce(step, { isFirstWrite, attempt }, tools),
  );
  const row = step.write.before;
  const isAsBefore = kept === undefined || kept.end === 'already';
  if (row?.kind === 'IPAMHandle' && isFirstWrite && isAsBefore)
    tools.settled.add(comparableHandleId(row.id));
  if (step.item === undefined) return;
  if (kept) ledger.kept(step.item, kept.end, kept.reason);
  else ledger.applied(step.item);
}

async function restoreOnce(
  { write, rowWrites }: RestoreStep,
  { isFirstWrite, attempt }: { readonly isFirstWrite: boolean; readonly attempt: number },
  { access, writer, recorded }: RestoreTools,
): Promise<ReturnType<typeof keptRow>> {
  const row = write.before ?? write.after;
  if (row === undefined) return undefined;
  const current = await access.read(row.kind, row.key, attempt);
  const kept = keptRow({ write, rowWrites }, current);
  if (kept) return kept;
  const wanted = isFirstWrite ? withoutRefused(write.before, recorded) : write.before;
  const purpose = { action: restoreAction(write) };
  if (wanted === undefined) {
    if (current) await writer.remove(current, purpose);
  } else if (current === undefined) await writer.create(asNew(wanted), purpose);
  else await writer.update(current, over(current, wanted), purpose);
  return undefined;
}

/** A handle as it was, but for addresses that somebody else has been given; undefined when nothing is left of it. */
function withoutRefused(
  before: WritableRow | undefined,
  { refused }: RestoreTools['recorded'],
): WritableRow | undefined {
  if (before?.kind !== 'IPAMHandle') return before;
  const taken = refused.get(comparableHandleId(before.id));
  return taken === undefined ? before : lowered(before, taken);
}

function lowered(row: HandleRow, taken: ReadonlyMap<string, number>): HandleRow | undefined {
  const counts = row.counts.flatMap((entry) => {
    const count =
      entry.count - (entry.cidr === undefined ? 0 : (taken.get(formatCidr(entry.cidr)) ?? 0));
    return count > 0 ? { ...entry, count } : [];
  });
  return counts.length === 0 ? undefined : { ...row, counts };
}

function asNew(row: WritableRow): WritableRow {
  return { ...row, revision: undefined, uid: undefined, createdAt: undefined };
}

/** What the row said, in the object that is stored now. */
function over(current: WritableRow, before: WritableRow): WritableRow {
  const { key, revision, uid, createdAt, object } = current;
  // Of a pool, the marks of a split are a part of what it said.
  const marked = before.kind === 'IPPool' ? withMarksOf(object, before.object) : object;
  return { ...before, key, revision, uid, createdAt, object: marked };
}
