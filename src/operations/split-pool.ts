import { PreconditionError } from '../errors/precondition-error.ts';
import type { ClusterInformationRow } from '../ipam/model/cluster-information.ts';
import { CONFIG_NAME } from '../ipam/model/ipam-config.ts';
import type { OperationContext } from './context.ts';
import { assertVersion } from './guards.ts';
import { assertNoImport } from './import/import-mark.ts';
import type { ItemLedger } from './item-ledger.ts';
import { type Mutation, mutationOf } from './mutation.ts';
import { RowAccess } from './row-access.ts';
import { assertSplittable } from './split/assert-splittable.ts';
import { assertMendable, planBack } from './split/plan-back.ts';
import { planForward } from './split/plan-forward.ts';
import { lookForSplit, type SplitLook } from './split/split-look.ts';
import type { SplitOptions } from './split/split-options.ts';
import type { SplitStep } from './split/split-plan.ts';
import type { SplitTools } from './split/split-steps.ts';
import { findSplitTarget, type SplitTarget } from './split/split-target.ts';
import { withUndoFile } from './undo/with-undo-file.ts';

/**
 * Plans to cut a pool into parts of one size, or to make it whole again. All of it is checked first; what an interrupted
 * run has done already is told by the marks on the pools. Blocks, affinities and handles are not touched.
 * @throws {@link NotFoundError} when there is no such pool, {@link PreconditionError} when it is refused.
 */
export async function planSplit(
  context: OperationContext,
  options: SplitOptions,
): Promise<Mutation> {
  const look = await lookForSplit(context);
  assertVersion(look.state, options.isMismatchAllowed);
  const target = findSplitTarget(look, options);
  const steps = stepsOf(target, look, options);
  const isLockNeeded = steps.some(({ item }) => item.kept === undefined) && !options.isForced;
  if (isLockNeeded) assertLocked(look.state.clusterInformation);
  if (!options.isUndo) assertNoImport(look.cluster, 'it needs the pools as its file has them');
  return mutationOf({
    context,
    state: look.state,
    command: 'ipam split',
    items: steps.map(({ item }) => item),
    notes: notesOf(look, options),
    history: options.history,
    wayOn: (undoFile) =>
      `the same command goes on${options.isUndo ? '' : ', and with --undo it goes back'}${withUndoFile(undoFile)}`,
    run: async ({ ledger, writer }) => {
      if (isLockNeeded) await assertStillLocked(context);
      const access = new RowAccess(context, look.kept);
      writer.onWritten = ({ kind, key }) => access.forget(kind, key);
      await applySteps(steps, ledger, { context, access, writer });
    },
  });
}

function stepsOf(
  target: SplitTarget,
  look: SplitLook,
  { isUndo }: SplitOptions,
): readonly SplitStep[] {
  const { source } = target;
  if (isUndo) {
    if (target.isMarked) assertMendable(target, look);
    return planBack(target);
  }
  if (source) assertSplittable({ ...target, source }, look);
  return planForward(target);
}

/** One after another; the first that fails ends the run, since each rests on the one before. */
async function applySteps(
  steps: readonly SplitStep[],
  ledger: ItemLedger,
  tools: SplitTools,
): Promise<void> {
  let isStopped = false;
  for (const { item, apply } of steps) {
    if (ledger.has(item)) continue;
    if (isStopped) {
      ledger.kept(item, 'harmless', 'not reached; the same command goes on from here');
      continue;
    }
    try {
      const end = await apply(tools);
      if (end === 'applied') ledger.applied(item);
      else ledger.kept(item, 'already', 'it is so already');
    } catch (error) {
      if (tools.context.signal.aborted) throw error;
      ledger.failed(item, error);
      isStopped = true;
    }
  }
}

/** An absent flag says that nobody locked it. */
function assertLocked(row: ClusterInformationRow | undefined): void {
  if (row?.datastoreReady === false) return;
  throw new PreconditionError('the datastore is not locked, so nodes may claim blocks meanwhile', {
    hint: 'run ipamctl datastore migrate lock first, or use --force if nothing can claim blocks now',
  });
}

/** The plan may have been looked at for a while. */
async function assertStillLocked({ datastore, signal }: OperationContext): Promise<void> {
  const row = await datastore.get('ClusterInformation', { name: CONFIG_NAME }, { signal });
  const isReadable = row?.kind === 'ClusterInformation' && !('unreadable' in row);
  assertLocked(isReadable ? row : undefined);
}

function notesOf({ state }: SplitLook, { isForced }: SplitOptions): readonly string[] {
  const isLocked = state.clusterInformation?.datastoreReady === false;
  return [
    ...(isForced && !isLocked
      ? [
          'The datastore is not locked: a node that claims a block meanwhile may find no pool for it.',
        ]
      : []),
    ...(isLocked
      ? ['The datastore stays locked; ipamctl datastore migrate unlock ends that.']
      : []),
    ...(state.isLoaded('IPAMBlock')
      ? []
      : [
          'Blocks are not part of this source, so it is not known whether one is larger than a part.',
        ]),
    ...(state.mayBeUnreadable('IPPool')
      ? ['Some pools cannot be read; whether they share addresses with this one is not known.']
      : []),
  ];
}
