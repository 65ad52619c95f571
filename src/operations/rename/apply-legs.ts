import { PreconditionError } from '../../errors/precondition-error.ts';
import { UnavailableError } from '../../errors/unavailable-error.ts';
import { connectedGroups } from '../../ipam/rename/connected.ts';
import type { ClusterInformationRow } from '../../ipam/model/cluster-information.ts';
import type { NameMap } from '../../ipam/rename/legs.ts';
import { mapLimit } from '../../support/map-limit.ts';
import { withRetries } from '../with-retries.ts';
import { applyUnit } from './apply-unit.ts';
import type { HandleMove, LegPlan, RenameUnit } from './leg-plan.ts';
import { moveRest, readHandle } from './move-handle.ts';
import { endMark, setMark } from './rename-mark.ts';
import type { RenameTools } from './rename-tools.ts';

/** Groups of blocks that are renamed at a time. */
const IN_FLIGHT = 16;

/** How the legs are carried out. */
export interface LegsRun {
  readonly names: NameMap;
  /** Those that are left, in order. */
  readonly legs: readonly LegPlan[];
  /** Number of all legs. */
  readonly total: number;
  /** The first of them was begun by an earlier run. */
  readonly isResumed: boolean;
  /** Whether there is a row to mark. */
  readonly hasMark: boolean;
  readonly assertAllowed: (row: ClusterInformationRow) => void;
}

/** Tools of all legs. */
export type LegsTools = Omit<RenameTools, 'names' | 'isResumed' | 'made'>;

/** One leg after another, each under its mark; a leg that is not done ends the run. The mark goes when all are done. */
export async function applyLegs(run: LegsRun, tools: LegsTools): Promise<void> {
  const { names, legs, total, hasMark, assertAllowed } = run;
  for (const [at, leg] of legs.entries()) {
    if (hasMark) {
      await setMark(names, { leg: leg.number, legs: total }, { ...tools, assertAllowed });
      await tools.writer.flush();
    }
    const isResumed = run.isResumed && at === 0;
    const isDone = await applyLeg(leg, { ...tools, names: leg.names, isResumed, made: new Set() });
    await tools.writer.flush();
    if (isDone) continue;
    leaveRest(legs.slice(at + 1), tools);
    return;
  }
  if (hasMark) await endMark(names, tools);
}

function leaveRest(legs: readonly LegPlan[], { ledger }: LegsTools): void {
  for (const item of legs.flatMap(({ items }) => items))
    ledger.kept(item, 'harmless', 'not reached; the same command goes on from here');
}

/** Blocks that share a handle go one after another. */
async function applyLeg({ units, handles }: LegPlan, tools: RenameTools): Promise<boolean> {
  const open = new Set<HandleMove>();
  const groups = connectedGroups(units, ({ handles }) => handles);
  const options = { limit: IN_FLIGHT, signal: tools.context.signal };
  const ends = await mapLimit(groups, options, async (group) => {
    const isDone = await applyGroup(group, tools);
    if (!isDone) for (const { handles } of group) for (const move of handles) open.add(move);
    return isDone;
  });
  const settled = await mapLimit(handles, options, (move) => settleHandle(move, open, tools));
  return [...ends, ...settled].every(Boolean);
}

async function applyGroup(units: readonly RenameUnit[], tools: RenameTools): Promise<boolean> {
  let isDone = true;
  for (const unit of units) {
    try {
      noteUnit(unit, await applyUnit(unit, tools), tools);
    } catch (error) {
      if (tools.context.signal.aborted || error instanceof UnavailableError) throw error;
      for (const item of itemsOf(unit)) tools.ledger.failed(item, error);
      isDone = false;
    }
  }
  return isDone;
}

function noteUnit(unit: RenameUnit, isAny: boolean, { ledger }: RenameTools): void {
  for (const item of itemsOf(unit)) {
    if (isAny) ledger.applied(item);
    else ledger.kept(item, 'already', 'nothing of it names the node any more');
  }
}

function itemsOf({ block, claims }: RenameUnit) {
  return [...(block ? [block.item] : []), ...claims.flatMap(({ items }) => items)];
}

/** Renames what is left of a handle once all of its blocks are done. */
async function settleHandle(
  move: HandleMove,
  open: ReadonlySet<HandleMove>,
  tools: RenameTools,
): Promise<boolean> {
  const { item } = move;
  if (item === undefined) return !open.has(move);
  try {
    if (open.has(move))
      throw new PreconditionError(`handle ${move.oldId} keeps what its blocks still hold`);
    await withRetries(tools.context, async (attempt) =>
      moveRest(await readHandle(move, attempt, tools), tools),
    );
    tools.ledger.applied(item);
    return true;
  } catch (error) {
    if (tools.context.signal.aborted || error instanceof UnavailableError) throw error;
    tools.ledger.failed(item, error);
    return false;
  }
}
