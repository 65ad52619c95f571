import { PreconditionError } from '../errors/precondition-error.ts';
import type { ClusterInformationRow } from '../ipam/model/cluster-information.ts';
import { isLinked, legsOf, type NameMap, temporaryName } from '../ipam/rename/legs.ts';
import type { OperationContext } from './context.ts';
import { assertVersion } from './guards.ts';
import { assertNoImport } from './import/import-mark.ts';
import { type Mutation, mutationOf } from './mutation.ts';
import { applyLegs, type LegsRun } from './rename/apply-legs.ts';
import { assertEmpty, assertNoClash } from './rename/assert-free.ts';
import { assertNames } from './rename/assert-names.ts';
import { foreignNotes } from './rename/foreign-objects.ts';
import { type LegPlan, planLeg } from './rename/leg-plan.ts';
import { lookForRename, type RenameLook } from './rename/rename-look.ts';
import { markedLeg } from './rename/rename-mark.ts';
import { doneItems, whatIsLeft } from './rename/what-is-left.ts';
import { renameNotes } from './rename/rename-notes.ts';
import type { RenameOptions } from './rename/rename-options.ts';
import { RenameWorld } from './rename/rename-world.ts';
import { RowAccess } from './row-access.ts';
import { withUndoFile } from './undo/with-undo-file.ts';

/** Words of the command. */
export const RENAME_COMMAND = 'datastore migrate rename-node';

/** Why an import has to be finished first: it goes by the names of its file, as does taking it back. */
const NEEDS_NAMES = 'it needs the names as they are';

/** A renaming that was judged. */
interface RenamePlan {
  readonly names: NameMap;
  readonly look: RenameLook;
  /** Names that are not done yet. */
  readonly left: NameMap;
  /** Legs that are not done yet. */
  readonly plans: readonly LegPlan[];
  /** Number of all legs. */
  readonly total: number;
  /** Leg at which an earlier run was interrupted. */
  readonly begun: number | undefined;
  readonly isEmpty: boolean;
  /** Why the datastore has to be locked, if it has to be. */
  readonly lockReason: string | undefined;
}

/**
 * Plans to give nodes other names in all that IPAM knows of them: owners of blocks, affinity rows, attributes, handles of
 * tunnels. All of it is checked first; how far an interrupted run has come is told by a mark on ClusterInformation.
 * @throws {@link UsageError} for a name that cannot be, {@link NotFoundError} when none of the names is known,
 * {@link PreconditionError} when it is refused.
 */
export async function planRename(
  context: OperationContext,
  options: RenameOptions,
): Promise<Mutation> {
  const plan = await judgeRename(context, options);
  const { names, look, left, plans, total, begun, isEmpty } = plan;
  return mutationOf({
    context,
    state: look.state,
    command: RENAME_COMMAND,
    items: [...plans.flatMap(({ items }) => items), ...doneItems(names, left, look)],
    notes: [
      ...renameNotes(look, { names, plans, begun, legs: total }),
      ...(left.size === 0 ? [] : await foreignNotes(context, left)),
    ],
    history: options.history,
    wayOn: (undoFile) =>
      `the same command goes on, with the same ${names.size === 1 ? 'names' : 'map'}${withUndoFile(undoFile)}`,
    run: async ({ ledger, writer }) => {
      if (isEmpty && begun === undefined) return;
      const access = new RowAccess(context, look.kept);
      writer.onWritten = ({ kind, key }) => access.forget(kind, key);
      await applyLegs(legsRunOf(plan), { context, access, ledger, writer });
    },
  });
}

async function judgeRename(
  context: OperationContext,
  { names, isMismatchAllowed }: RenameOptions,
): Promise<RenamePlan> {
  assertNames(names, context.datastore.keys);
  const temporary = temporaryName(names);
  const all = new Set([...names.keys(), ...names.values(), temporary]);
  const look = await lookForRename(context, all);
  assertVersion(look.state, isMismatchAllowed);
  const legs = legsOf(names, temporary);
  const begun = markedLeg(look.cluster, names, legs.length);
  const left = begun === undefined ? whatIsLeft(names, look) : names;
  const plans = left.size === 0 ? [] : planLegs(look, { names, legs, begun });
  const isEmpty = plans.every(({ items }) => items.length === 0);
  const lockReason = isEmpty ? undefined : whyLocked(names, look);
  if (lockReason !== undefined) assertLocked(look.cluster, lockReason);
  if (!isEmpty) assertMarkable(context, look);
  if (!isEmpty) assertNoImport(look.cluster, NEEDS_NAMES);
  return { names, look, left, plans, total: legs.length, begun, isEmpty, lockReason };
}

function legsRunOf({ names, look, plans, total, begun, lockReason }: RenamePlan): LegsRun {
  return {
    names,
    legs: plans,
    total,
    isResumed: begun !== undefined,
    hasMark: look.cluster !== undefined,
    assertAllowed: (row) => {
      assertNoImport(row, NEEDS_NAMES);
      if (lockReason !== undefined) assertLocked(row, lockReason);
    },
  };
}

/**
 * Plans what is left of the legs, one on top of the other. What has a new name at the first of them, when that was begun
 * before, is the work of the run that was interrupted.
 */
function planLegs(
  look: RenameLook,
  {
    names,
    legs,
    begun,
  }: {
    readonly names: NameMap;
    readonly legs: readonly NameMap[];
    readonly begun: number | undefined;
  },
): readonly LegPlan[] {
  const world = new RenameWorld(look);
  const first = begun ?? 1;
  return legs.slice(first - 1).map((leg, at) => {
    const plan = planLeg(world, first + at, leg);
    if (begun === undefined || at > 0) {
      for (const [from, to] of leg) {
        const isStep = !names.has(from) || names.get(from) !== to || isLinked(from, names);
        if (isStep) assertEmpty(world, to, leg);
      }
      assertNoClash(world, plan);
    }
    world.rename(leg);
    return plan;
  });
}

/** Why the datastore has to be locked; undefined when it need not be. */
function whyLocked(names: NameMap, { nodes, state }: RenameLook): string | undefined {
  const linked = [...names.keys()].find((name) => isLinked(name, names));
  if (linked !== undefined) return `"${linked}" is part of a chain or a cycle`;
  if (!state.isLoaded('Node'))
    return 'nodes are not part of this source, so it is not known whether one still has the old name';
  const name = [...names.keys()].find(
    (name) => nodes.has(name) || state.mayBeUnreadable('Node', { name }),
  );
  return name === undefined ? undefined : `"${name}" still is a node`;
}

/** @throws {@link PreconditionError} An absent flag says that nobody locked it. */
function assertLocked(row: ClusterInformationRow | undefined, reason: string): void {
  if (row?.datastoreReady === false) return;
  throw new PreconditionError(`the datastore is not locked, and has to be: ${reason}`, {
    hint: 'run ipamctl datastore migrate lock first',
  });
}

/** @throws {@link PreconditionError} when an interruption of the run could not be told afterwards. */
function assertMarkable({ datastore }: OperationContext, { cluster }: RenameLook): void {
  if (cluster !== undefined || !datastore.capabilities.live) return;
  throw new PreconditionError(
    'there is no ClusterInformation "default" that can be read, so nobody could tell how far the renaming has come',
    { hint: 'ipamctl datastore migrate lock makes one' },
  );
}
