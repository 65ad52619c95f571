import { UnavailableError } from '../../errors/unavailable-error.ts';
import type { BlockRow } from '../../ipam/model/block.ts';
import { isReadable } from '../../ipam/model/row.ts';
import type { PlanItem } from '../../ipam/plan.ts';
import { formatCidr } from '../../net/cidr.ts';
import { mapLimit } from '../../support/map-limit.ts';
import type { OperationContext } from '../context.ts';
import type { Look } from '../look.ts';
import { type Mutation, mutationOf } from '../mutation.ts';
import { RowAccess } from '../row-access.ts';
import type { UndoHistory } from '../undo/undo-log.ts';
import { marksOf, putMarks } from './rename-mark.ts';
import { itemOfHistory, keptOf } from './restore-judgement.ts';
import { raiseHandle, restoreBlock, restoreClaim, settleHandle } from './restore-steps.ts';
import type { RestoreNamesTools } from './restore-tools.ts';
import { type RowHistory, rowHistories } from './row-histories.ts';

/** Rows that are given their names back at a time. */
const IN_FLIGHT = 16;

/** A row of the file with its item. */
interface Task {
  readonly history: RowHistory;
  readonly item: PlanItem;
}

/**
 * Plans to give nodes the names back that an undo file of a renaming knows, row by row, each from wherever the renaming
 * left it. What was assigned, released or claimed since stays as it is.
 */
export function planRestoreNames(
  context: OperationContext,
  {
    recorded,
    history,
  }: { readonly recorded: UndoHistory; readonly history?: UndoHistory | undefined },
  look: Look,
): Mutation {
  const histories = rowHistories(recorded.writes);
  const cluster = histories.find(({ kind }) => kind === 'ClusterInformation');
  const rows = histories.filter(({ kind }) => kind !== 'ClusterInformation');
  const stored = (row: RowHistory) => {
    const found = look.kept.get(row.kind, row.key);
    return found && isReadable(found) ? found : undefined;
  };
  const tasks = rows.map((row): Task => {
    const kept = keptOf(row, stored(row), { rows, stored });
    return { history: row, item: itemOfHistory(row, kept) };
  });
  return mutationOf({
    context,
    state: look.state,
    command: 'ipam restore',
    items: tasks.map(({ item }) => item),
    history,
    run: async ({ ledger, writer }) => {
      const access = new RowAccess(context, look.kept);
      writer.onWritten = ({ kind, key }) => access.forget(kind, key);
      const tools: RestoreNamesTools = { context, access, ledger, writer, rows };
      const marks = cluster && marksOf(cluster.first);
      if (marks?.rename !== undefined) await putMarks(marks, tools);
      await restoreRows(tasks, tools);
      // What is not whole may be gone on with, which takes the mark.
      if (marks && tasks.every(({ item }) => ledger.isSettled(item))) await putMarks(marks, tools);
    },
  });
}

/** Handles get what they had before their blocks name them, and lose what they have once no block does. */
async function restoreRows(tasks: readonly Task[], tools: RestoreNamesTools): Promise<void> {
  const ofKind = (kind: RowHistory['kind']) => tasks.filter(({ history }) => history.kind === kind);
  const options = { limit: IN_FLIGHT, signal: tools.context.signal };
  const run = (task: Task, step: () => Promise<void>) => attempt(task, step, tools);
  const handles = ofKind('IPAMHandle');
  await mapLimit(handles, options, (task) => run(task, () => raiseHandle(task.history, tools)));
  const claims = [...ofKind('IPAMBlock'), ...ofKind('BlockAffinity')];
  const groups = [...Map.groupBy(claims, ({ history }) => cidrOf(history)).values()];
  await mapLimit(groups, options, async (group) => {
    for (const task of [...group].sort(byPlace)) {
      const { history, item } = task;
      await run(task, () =>
        history.kind === 'IPAMBlock'
          ? restoreBlock(history, item, tools)
          : restoreClaim(history, item, tools),
      );
    }
  });
  await mapLimit(handles, options, (task) =>
    run(task, () => settleHandle(task.history, task.item, tools)),
  );
}

async function attempt(
  { item }: Task,
  step: () => Promise<void>,
  { ledger, context }: RestoreNamesTools,
): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (context.signal.aborted || error instanceof UnavailableError) throw error;
    ledger.failed(item, error);
  }
}

/** Rows that come back, then the block, then rows that go. */
function byPlace(a: Task, b: Task): number {
  const place = ({ history }: Task): number => {
    if (history.kind === 'IPAMBlock') return 1;
    return history.first === undefined ? 2 : 0;
  };
  return place(a) - place(b);
}

function cidrOf({ first, later }: RowHistory): string {
  const row = [first, ...later].find((state) => state !== undefined) as BlockRow | undefined;
  return row?.cidr === undefined ? '' : formatCidr(row.cidr);
}
