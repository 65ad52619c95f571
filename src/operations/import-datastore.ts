import { UnsupportedError } from '../errors/unsupported-error.ts';
import { calicoVersionOf, clusterGuidOf } from '../ipam/migration/import-merge.ts';
import type { PlanItem } from '../ipam/plan.ts';
import { formatTime } from '../support/time.ts';
import type { OperationContext } from './context.ts';
import { namingAllDenied } from './denials.ts';
import { assertVersionText } from './guards.ts';
import { applyKind, type ImportTools } from './import/apply-changes.ts';
import {
  type ClusterWords,
  finishImport,
  lockForImport,
  notePhase,
  setCluster,
} from './import/cluster-steps.ts';
import { compareAll, comparedIn, type Comparison, OBJECT_ORDER } from './import/compare-all.ts';
import { brokenFile, type FileContents, lacksRows, readContents } from './import/file-contents.ts';
import { isBegunImport, wayOn } from './import/import-mark.ts';
import { definitionItems, installDefinitions } from './import/install-definitions.ts';
import { IMPORT_COMMAND, type ImportOptions } from './import/import-options.ts';
import { type ImportPlan, planOf, refusedItems } from './import/import-plan.ts';
import { readTarget, type Target, undefinedKinds } from './import/target.ts';
import {
  assertDefined,
  assertLoaded,
  missingDefinitions,
  missingGround,
  missingLists,
  overlapProblems,
} from './import/target-problems.ts';
import type { ItemLedger } from './item-ledger.ts';
import { loadClusterState } from './load-cluster-state.ts';
import { type ClusterLook, lookAtCluster } from './migrate/cluster-row.ts';
import { type Mutation, mutationOf } from './mutation.ts';
import { ObjectWriter } from './object-writer.ts';
import { RowAccess } from './row-access.ts';
import type { Writer } from './writer.ts';

/**
 * Plans to bring what a migration file holds into a Kubernetes cluster: what is there already and equal stays, what is
 * missing is made, and nothing else is touched. The file is verified as a whole first.
 * Source: Calico calicoctl commands/datastore/migrate/import.go.
 *
 * Departs from upstream: nothing is written before the file and the target are known to fit; a run that was interrupted
 * is gone on with; the target is compared with the file afterwards.
 * @throws {@link DataError} when the file is broken, {@link UnsupportedError} when the target is no Kubernetes,
 * {@link PreconditionError} when another import is not finished or definitions are missing.
 */
export async function planImport(
  context: OperationContext,
  options: ImportOptions,
): Promise<Mutation> {
  assertKubernetes(context);
  const contents = await readContents(context, options.source, context.datastore.keys);
  assertVersionText(calicoVersionOf(contents.clusterInformation), options.isMismatchAllowed);
  const reading = (): Promise<Target> => readTarget(context, OBJECT_ORDER);
  const look = await namingAllDenied(() => lookAtTarget(context), reading);
  assertVersionText(look.row?.calicoVersion, options.isMismatchAllowed);
  const isBegun = isBegunImport(look.row, options.source.digest);
  const target = await reading();
  assertFits({ contents, target, look, options });
  const comparison = compareAll(contents, target);
  const definitions = await definitionItems(context, options.definitions);
  return mutationFor(context, { options, contents, look, isBegun, comparison, definitions });
}

/** What the target says of itself. */
interface TargetLook extends Pick<ClusterLook, 'state' | 'row'> {
  /** The cluster has no definition of the kind that holds the lock. */
  readonly isUndefined: boolean;
}

/** What a plan is made of. */
interface Ground {
  readonly options: ImportOptions;
  readonly contents: FileContents;
  readonly look: TargetLook;
  readonly isBegun: boolean;
  readonly comparison: Comparison;
  /** Definitions that are installed first. */
  readonly definitions: readonly PlanItem[];
}

function mutationFor(context: OperationContext, ground: Ground): Mutation {
  const { options, contents, look, isBegun, comparison, definitions } = ground;
  const notes = [...notesOf(contents, ground)];
  if (lacksRows(contents)) context.progress.warn(NO_ROWS);
  const refused = refusedItems(comparison);
  const plan = planOf({ contents, comparison, row: look.row, isBegun });
  const count = comparedIn(comparison).filter(({ change }) => change !== undefined).length;
  if (refused && count > 0) notes.push(`Nothing was written; ${count} more objects wait to be.`);
  return mutationOf({
    context,
    state: look.state,
    command: IMPORT_COMMAND,
    items: refused ?? [...definitions, ...plan.items],
    notes,
    rights: refused ? [] : plan.rights,
    identity: clusterGuidOf(contents.clusterInformation) ?? look.row?.clusterGUID,
    history: options.history,
    wayOn: (journal) => wayOn(options.source.name, journal),
    run: async ({ ledger, writer }) => {
      if (refused !== undefined) return;
      await installDefinitions(context, {
        definitions: options.definitions,
        items: definitions,
        ledger,
      });
      if (plan.finish) await run(context, { ground, plan, ledger, writer });
    },
  });
}

interface Run {
  readonly ground: Ground;
  readonly plan: ImportPlan;
  readonly ledger: ItemLedger;
  readonly writer: Writer;
}

/** One kind after the other; the mark says how far it is, and goes only when the target holds what the file holds. */
async function run(
  context: OperationContext,
  { ground, plan, ledger, writer }: Run,
): Promise<void> {
  const { options, contents, comparison } = ground;
  const access = new RowAccess(context);
  const objects = new ObjectWriter(context, writer);
  const tools: ImportTools = {
    context,
    access,
    ledger,
    writer,
    objects,
    concurrency: options.concurrency,
  };
  const words = wordsOf(context, ground);
  await lockForImport(tools, words);
  ledger.applied(plan.lock);
  for (const part of comparison.objects) await applyKind(part, tools);
  await setCluster(tools, words);
  if (plan.cluster.kept === undefined) ledger.applied(plan.cluster);
  for (const part of comparison.rows) await applyKind(part, tools);
  await notePhase(tools, 'verification', words);
  if (plan.finish) await verify({ contents, plan: { ...plan, finish: plan.finish }, tools });
}

/** Reads the target again and takes the mark off when everything of the file is in it. */
async function verify({
  contents,
  plan: { finish },
  tools,
}: {
  readonly contents: FileContents;
  readonly plan: { readonly finish: PlanItem };
  readonly tools: ImportTools;
}): Promise<void> {
  const { context, ledger } = tools;
  context.progress.step('verifying the target');
  const after = compareAll(contents, await readTarget(context, OBJECT_ORDER));
  const left = comparedIn(after).filter(
    ({ item, change }) => change !== undefined || item.kept === 'refusal',
  );
  if (left.length === 0) {
    await finishImport(tools);
    ledger.applied(finish);
    return;
  }
  const [first] = left;
  const { kind, name } = first?.item.subject ?? finish.subject;
  const more = left.length > 1 ? ` and ${left.length - 1} more objects` : '';
  ledger.kept(
    finish,
    'refusal',
    `the target is not what the file says (${kind} ${name}${more}), so the mark of the import stays; see what changed them and run the import again`,
  );
}

function wordsOf(context: OperationContext, { options, contents }: Ground): ClusterWords {
  const { source, by, newGuid } = options;
  const at = formatTime(Math.floor(context.clock.now() / 1000) * 1000);
  return {
    mark: { digest: source.digest, file: source.name, by, at },
    clusterInformation: contents.clusterInformation,
    newGuid,
  };
}

/** The row of the target's lock; a cluster without its definition has none. */
async function lookAtTarget(context: OperationContext): Promise<TargetLook> {
  const absent = await undefinedKinds(context, ['ClusterInformation']);
  if (absent.size === 0) return { ...(await lookAtCluster(context)), isUndefined: false };
  return {
    state: await loadClusterState(context, { kinds: [] }),
    row: undefined,
    isUndefined: true,
  };
}

function assertKubernetes({ datastore }: OperationContext): void {
  if (datastore.keys.form === 'object' && datastore.objects !== undefined) return;
  throw new UnsupportedError('an import goes into Kubernetes, and this is etcd', {
    hint: 'name the cluster with --kubeconfig, or a dump of it with --snapshot',
  });
}

/** @throws {@link DataError} and {@link PreconditionError} when file and target cannot come together. */
function assertFits({
  contents,
  target,
  look,
  options,
}: {
  readonly contents: FileContents;
  readonly target: Target;
  readonly look: TargetLook;
  readonly options: ImportOptions;
}): void {
  const lacking = missingDefinitions(contents, target);
  if (look.isUndefined) lacking.unshift('ClusterInformation');
  assertDefined(lacking, options.definitions);
  assertLoaded(target);
  const problems = [
    ...overlapProblems(contents, target),
    ...missingGround(contents, target, look.row),
  ];
  if (problems.length > 0) throw brokenFile(options.source.name, problems);
}

/** Told when there is nothing of IPAM in the file: not wrong, but seldom meant. */
const NO_ROWS = 'The file holds no IPAM data.';

function notesOf(contents: FileContents, { options, isBegun }: Ground): readonly string[] {
  const missing = missingLists(contents);
  return [
    ...contents.notes,
    ...(missing.length === 0
      ? []
      : [`The file says nothing of ${missing.join(', ')}; the target keeps what it has of them.`]),
    ...(lacksRows(contents) ? [NO_ROWS] : []),
    ...(options.isResume && !isBegun
      ? ['No import of this file was begun, so this is a plain one.']
      : []),
  ];
}
