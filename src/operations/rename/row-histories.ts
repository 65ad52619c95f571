import type { WritableRow } from '../../datastore/datastore.ts';
import { rowKey } from '../restore/restore-plan.ts';
import { isSameRow } from '../undo/same-row.ts';
import type { RecordedWrite } from '../undo/undo-log.ts';

/** What an undo file says of one row. */
export interface RowHistory {
  readonly kind: WritableRow['kind'];
  readonly key: WritableRow['key'];
  /** Before the first write; undefined when there was none. */
  readonly first: WritableRow | undefined;
  /** As each write left it, in order; undefined where it was deleted. */
  readonly later: readonly (WritableRow | undefined)[];
}

/** Whether an undo file is of a renaming of nodes, or of the way back from one. */
export function isOfRenaming(writes: readonly RecordedWrite[]): boolean {
  return writes.some(({ action }) => action.startsWith('rename-'));
}

/** The rows of an undo file, each with all that was done to it. */
export function rowHistories(writes: readonly RecordedWrite[]): readonly RowHistory[] {
  const sorted = [...writes].sort((a, b) => a.n - b.n);
  const groups = Map.groupBy(sorted, ({ before, after }) => {
    const row = before ?? after;
    return row ? rowKey(row) : '';
  });
  return [...groups.values()].flatMap((group) => {
    const [start] = group;
    const row = start?.before ?? start?.after;
    if (start === undefined || row === undefined) return [];
    const { kind, key } = row;
    return { kind, key, first: start.before, later: group.map(({ after }) => after) };
  });
}

/** Whether a row stands as the file left it at some time. */
export function isOnTheWay({ later }: RowHistory, current: WritableRow | undefined): boolean {
  return later.some((state) => isSameRow(state, current));
}
