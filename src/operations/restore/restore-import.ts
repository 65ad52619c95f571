import type { WritableRow, WriteRight } from '../../datastore/datastore.ts';
import type { ObjectKind } from '../../datastore/object-store.ts';
import { AccessDeniedError } from '../../errors/access-denied-error.ts';
import { UnavailableError } from '../../errors/unavailable-error.ts';
import type { ClusterInformationRow } from '../../ipam/model/cluster-information.ts';
import { keyText } from '../../ipam/model/resource.ts';
import type { PlanItem } from '../../ipam/plan.ts';
import { mapLimit } from '../../support/map-limit.ts';
import type { OperationContext } from '../context.ts';
import { OBJECT_ORDER } from '../import/compare-all.ts';
import { type Target, readTarget } from '../import/target.ts';
import type { ItemLedger } from '../item-ledger.ts';
import type { Look } from '../look.ts';
import { CLUSTER_KEY } from '../migrate/cluster-row.ts';
import { type Mutation, mutationOf } from '../mutation.ts';
import { ObjectWriter } from '../object-writer.ts';
import { RowAccess } from '../row-access.ts';
import type { RecordedWrite, UndoHistory } from '../undo/undo-log.ts';
import { withRetries } from '../with-retries.ts';
import type { Writer } from '../writer.ts';
import {
  allOrNothing,
  type ImportedThing,
  isLockedSince,
  judgeCluster,
  judgeThing,
  restoredCluster,
} from './judge-import.ts';
import { lockOfImport, thingsOf } from './imported-things.ts';
import type { MayTake } from './restore-plan.ts';
import { distinctRights } from './restore-rights.ts';

/** Writes in flight. */
const IN_FLIGHT = 16;

/** What is taken back, and how. */
export interface ImportRestore {
  readonly recorded: UndoHistory;
  readonly look: Look;
  readonly mayTake: MayTake;
  /** What the undo file of this very run holds already. */
  readonly history?: UndoHistory | undefined;
}

/** A thing with the item of the plan. */
interface Step {
  readonly thing: ImportedThing;
  readonly item: PlanItem;
}

interface Tools {
  readonly context: OperationContext;
  readonly access: RowAccess;
  readonly writer: Writer;
  readonly objects: ObjectWriter;
  readonly ledger: ItemLedger;
  readonly mayTake: MayTake | undefined;
}

/** Kinds in the order in which they are taken back: the reverse of that in which an import makes them. */
const ORDER: readonly string[] = [
  'IPAMHandle',
  'IPAMBlock',
  'BlockAffinity',
  'IPAMConfig',
  ...[...OBJECT_ORDER].reverse(),
];

/**
 * Plans to take an import back: whatever it made and is still as it made it goes, what it changed is as before again, the
 * lock last. As long as the cluster has stayed locked nothing has been assigned since; otherwise a block stays when something
 * alive may carry one of its addresses, and everything else with it.
 */
export async function planImportRestore(
  context: OperationContext,
  { recorded, look, mayTake, history }: ImportRestore,
): Promise<Mutation> {
  const things = thingsOf(recorded.writes);
  const target = await readImported(context, recorded.writes);
  const cluster = things.find(({ kind }) => kind === 'ClusterInformation');
  const access = new RowAccess(context);
  const row = await access.read('ClusterInformation', CLUSTER_KEY);
  const guard = isLockedSince(lockOfImport(recorded.writes), row) ? undefined : mayTake;
  const steps = stepsOf(things, target, guard);
  const isAnyLeft = steps.some(({ item }) => item.kept === 'refusal');
  const last = cluster && { thing: cluster, item: judgeCluster(cluster, row, isAnyLeft) };
  return mutationOf({
    context,
    state: look.state,
    command: 'ipam restore',
    items: [...steps, ...(last ? [last] : [])].map(({ item }) => item),
    rights: rightsOf([...steps, ...(last ? [last] : [])]),
    history,
    identity: recorded.header.clusterGUID,
    run: async ({ ledger, writer }) => {
      const objects = new ObjectWriter(context, writer);
      const tools: Tools = { context, access, writer, objects, ledger, mayTake: guard };
      await takeBack(steps, tools);
      if (last) await takeBackCluster(last, steps, tools);
    },
  });
}

/** What becomes of each thing but the cluster's own row, in order. */
function stepsOf(
  things: readonly ImportedThing[],
  target: Target,
  guard: MayTake | undefined,
): readonly Step[] {
  const due = things
    .filter(({ kind }) => kind !== 'ClusterInformation')
    .sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
  const judged = due.map((thing) => judgeThing(thing, currentOf(thing, target), guard));
  const items = guard === undefined ? judged : allOrNothing(judged);
  return items.map((item, at) => ({ thing: due[at] as ImportedThing, item }));
}

/** Reads what the writes of an import were about. */
export async function readImported(
  context: OperationContext,
  writes: readonly RecordedWrite[],
): Promise<Target> {
  const kinds = new Set(writes.map(({ object }) => object?.kind));
  return readTarget(
    context,
    OBJECT_ORDER.filter((kind) => kinds.has(kind)),
  );
}

/** What is taken back is removed where the import made it, and otherwise written as it was. */
function rightsOf(steps: readonly Step[]): readonly WriteRight[] {
  const due = steps.filter(({ item }) => item.kept === undefined);
  return distinctRights(
    due.flatMap(({ thing: { row, object } }): readonly WriteRight[] => {
      const verb = (object ?? row)?.before === undefined ? 'delete' : 'update';
      if (object) return [{ verb, kind: object.kind }];
      const stored = row?.before ?? row?.after;
      return stored ? [{ verb, kind: stored.kind }] : [];
    }),
  );
}

function currentOf({ kind, key, object }: ImportedThing, target: Target) {
  if (object) return target.objects.get(object.kind)?.get(keyText(key));
  return target.rows.get(kind as 'IPAMBlock')?.get(key.name);
}

/** One kind is done before the next, as when it was imported. */
async function takeBack(steps: readonly Step[], tools: Tools): Promise<void> {
  const due = steps.filter(({ item }) => item.kept === undefined);
  for (const group of Map.groupBy(due, ({ thing }) => thing.kind).values()) {
    const options = { limit: IN_FLIGHT, signal: tools.context.signal };
    await mapLimit(group, options, (step) => takeBackOne(step, tools));
  }
}

async function takeBackOne({ thing, item }: Step, tools: Tools): Promise<void> {
  const { context, ledger } = tools;
  try {
    const end = await withRetries(context, () =>
      thing.object
        ? restoreObject({ ...thing, object: thing.object }, tools)
        : restoreRow(thing, tools),
    );
    if (end.kept === undefined) ledger.applied(item);
    else ledger.kept(item, end.kept, end.reason);
  } catch (error) {
    const isFinal = error instanceof UnavailableError || error instanceof AccessDeniedError;
    if (isFinal || context.signal.aborted) throw error;
    ledger.failed(item, error);
  }
}

async function restoreRow(thing: ImportedThing, tools: Tools): Promise<PlanItem> {
  const { before } = thing.row ?? {};
  const current: WritableRow | undefined = await tools.access.read(
    thing.kind as 'IPAMBlock',
    thing.key,
  );
  const item = judgeThing(thing, current, tools.mayTake);
  if (item.kept !== undefined || current === undefined) return item;
  const action = item.action ?? 'set-configuration';
  if (before === undefined) await tools.writer.remove(current, { action });
  else {
    const { key, revision, uid, createdAt, object } = current;
    const restored: WritableRow = { ...before, key, revision, uid, createdAt, object };
    await tools.writer.update<WritableRow>(current, restored, { action });
  }
  return item;
}

async function restoreObject(
  thing: ImportedThing & { readonly object: { readonly kind: ObjectKind } },
  tools: Tools,
): Promise<PlanItem> {
  const { kind, before } = thing.object;
  const { context, objects } = tools;
  const current = await context.datastore.objects?.get(kind, thing.key, { signal: context.signal });
  const item = judgeThing(thing, current, tools.mayTake);
  if (item.kept !== undefined || current === undefined) return item;
  const action = item.action ?? 'set-configuration';
  if (before === undefined) await objects.remove(kind, current, action);
  else await objects.update({ kind, before: current, after: before }, action);
  return item;
}

/** The lock goes last, and only when nothing of the import is left. */
async function takeBackCluster(
  { thing, item }: Step,
  steps: readonly Step[],
  { context, access, writer, ledger }: Tools,
): Promise<void> {
  if (item.kept !== undefined) return;
  const isAnyLeft = ledger
    .ends(steps.map(({ item }) => item))
    .some(({ end }) => end === 'refusal' || end === 'failed');
  const end = await withRetries(context, async () => {
    const row = await access.read('ClusterInformation', CLUSTER_KEY);
    const judged = judgeCluster(thing, row, isAnyLeft);
    if (judged.kept !== undefined || row === undefined) return judged;
    const before = thing.row?.before as ClusterInformationRow | undefined;
    if (before === undefined) await writer.remove(row, { action: 'unlock' });
    else await writer.update(row, restoredCluster(row, before), { action: 'set-configuration' });
    return judged;
  });
  if (end.kept === undefined) ledger.applied(item);
  else ledger.kept(item, end.kept, end.reason);
}
