import type { WritableRow } from '../datastore/datastore.ts';
import { PreconditionError } from '../errors/precondition-error.ts';
import { UnavailableError } from '../errors/unavailable-error.ts';
import { judgeAllocation } from '../ipam/accounting/liveness.ts';
import { comparableHandleId } from '../ipam/handle-id.ts';
import type { ResourceKey } from '../ipam/model/resource.ts';
import { isReadable } from '../ipam/model/row.ts';
import type { PlanItem } from '../ipam/plan.ts';
import type { Address } from '../net/address.ts';
import { formatCidr } from '../net/cidr.ts';
import { mapLimit } from '../support/map-limit.ts';
import type { OperationContext } from './context.ts';
import { namingAllDenied } from './denials.ts';
import { assertVersion } from './guards.ts';
import { type Look, takeLook } from './look.ts';
import { type Mutation, mutationOf } from './mutation.ts';
import { planRestoreNames } from './rename/restore-renames.ts';
import { isOfRenaming } from './rename/row-histories.ts';
import { assertIdentity, isBeforeImport } from './restore/restore-identity.ts';
import { restoreBlock } from './restore/restore-block.ts';
import { isBlockWrite, RestorePlanner, type RestoreStep, rowKey } from './restore/restore-plan.ts';
import { restoreRights } from './restore/restore-rights.ts';
import { restoreRow } from './restore/restore-row.ts';
import type { RecordedHandles, RestoreTools } from './restore/restore-tools.ts';
import { IMPORT_COMMAND } from './import/import-options.ts';
import { planImportRestore, readImported } from './restore/restore-import.ts';
import { RowAccess } from './row-access.ts';
import type { UndoHistory } from './undo/undo-log.ts';

/** Handles, and after them blocks, that are put back at a time. */
const IN_FLIGHT = 16;

/** How to restore. */
export interface RestoreOptions {
  /** What the undo file records. */
  readonly recorded: UndoHistory;
  /** What the undo file is called in texts. */
  readonly name: string;
  readonly isMismatchAllowed: boolean;
  /** What the undo file of this very run holds already. */
  readonly history?: UndoHistory | undefined;
}

/**
 * Plans to take back what an undo file records, from the last write to the first, judging each row by what it says now.
 * An address goes back only if nobody has been given it since.
 * @throws {@link PreconditionError} when the file is of another cluster or API group.
 */
export async function planRestore(
  context: OperationContext,
  options: RestoreOptions,
): Promise<Mutation> {
  const { header, writes } = options.recorded;
  const look = await lookForRestore(context, options);
  if (isOfRenaming(writes)) return planRestoreNames(context, options, look);
  const mayTake = (address: Address): boolean => isAbandoned(look, address);
  if (header.command === IMPORT_COMMAND) {
    const mutation = await planImportRestore(context, { ...options, look, mayTake });
    if (!mutation.isEmpty) assertIdentity(options, look.state);
    return mutation;
  }
  const planner = new RestorePlanner(writes, (row) => storedRow(look, row), mayTake);
  const steps = withoutHandlesOfAddresses(planner.steps);
  return mutationOf({
    context,
    state: look.state,
    command: 'ipam restore',
    items: steps.flatMap(itemsOf),
    rights: restoreRights(steps, ({ write }) => isStored(look, write.before ?? write.after)),
    history: options.history,
    run: ({ ledger, writer }) => {
      const access = new RowAccess(context, look.kept);
      writer.onWritten = ({ kind, key }) => access.forget(kind, key);
      return applySteps(steps, {
        context,
        look,
        access,
        ledger,
        writer,
        mayTake,
        settled: new Set(),
        recorded: recordedHandles(steps),
      });
    },
  });
}

/** Reads the cluster. @throws {@link PreconditionError} when the file is of another one, or of another API group. */
async function lookForRestore(context: OperationContext, options: RestoreOptions): Promise<Look> {
  const { recorded, name, isMismatchAllowed } = options;
  const { header, writes } = recorded;
  const names = rowNames(writes);
  const look = await namingAllDenied(
    () => takeLook(context, (row) => names.has(`${row.kind} ${row.key.name}`)),
    async () => header.command === IMPORT_COMMAND && readImported(context, writes),
  );
  if (!isBeforeImport(recorded, look.state)) assertIdentity(options, look.state);
  assertSameGroup(context, header.apiGroup, name);
  assertVersion(look.state, isMismatchAllowed);
  return look;
}

/** Rows that the writes were about. */
function rowNames(writes: UndoHistory['writes']): ReadonlySet<string> {
  const rows = writes.flatMap(({ before, after }) => [before, after]);
  return new Set(rows.flatMap((row) => (row ? rowKey(row) : [])));
}

function storedRow({ kept }: Look, { kind, key }: WritableRow): WritableRow | undefined {
  const row = kept.get(kind, key);
  return row && isReadable(row) ? (row as WritableRow) : undefined;
}

function isStored(look: Look, row: WritableRow | undefined): boolean {
  return row !== undefined && storedRow(look, row) !== undefined;
}

function assertSameGroup(context: OperationContext, recorded: string, name: string): void {
  const { apiGroup, datastore } = context.datastore.describe();
  const group = apiGroup ?? datastore;
  if (group === recorded) return;
  throw new PreconditionError(`undo file ${name} is of ${recorded}, and this is ${group}`, {
    details: { recorded, group },
  });
}

function itemsOf({ addresses, item }: RestoreStep): readonly PlanItem[] {
  return [...addresses.map(({ item }) => item), ...(item ? [item] : [])];
}

/** The row of a handle goes back with its addresses, which are the items. */
function withoutHandlesOfAddresses(steps: readonly RestoreStep[]): readonly RestoreStep[] {
  const handleIds = new Set(
    steps.flatMap(({ addresses }) => addresses.flatMap(({ handleId }) => handleId ?? [])),
  );
  return steps.map((step) => {
    const row = step.write.before ?? step.write.after;
    const isOfAddress = row?.kind === 'IPAMHandle' && handleIds.has(comparableHandleId(row.id));
    return isOfAddress ? { ...step, item: undefined } : step;
  });
}

function recordedHandles(steps: readonly RestoreStep[]): RecordedHandles {
  const handleKeys = new Map<string, ResourceKey>();
  const refused = new Map<string, Map<string, number>>();
  for (const { write, addresses } of steps) {
    const row = write.before ?? write.after;
    if (row?.kind === 'IPAMHandle') handleKeys.set(comparableHandleId(row.id), row.key);
    if (row?.kind !== 'IPAMBlock') continue;
    for (const { handleId, item } of addresses) {
      if (handleId === undefined || item.kept !== 'refusal') continue;
      const counts = refused.get(handleId) ?? new Map<string, number>();
      const text = formatCidr(row.cidr);
      refused.set(handleId, counts.set(text, (counts.get(text) ?? 0) + 1));
    }
  }
  return { handleKeys, refused };
}

function failRest(step: RestoreStep, { ledger }: RestoreTools, error: unknown): void {
  for (const item of itemsOf(step)) if (!ledger.has(item)) ledger.failed(item, error);
}

/** Nothing alive carries the address, nor may carry it; what was put back can be taken again. */
function isAbandoned({ state, now }: Look, address: Address): boolean {
  return state
    .allocationsAt(address)
    .every(
      (allocation) =>
        allocation.cooling || judgeAllocation(state, allocation, { now, minAgeMs: 0 }).releasable,
    );
}

/**
 * Handles that were lowered come first, so that no address is put back that its handle does not know; then blocks and
 * the rows of their owners; then handles that were raised.
 */
async function applySteps(steps: readonly RestoreStep[], tools: RestoreTools): Promise<void> {
  const groups = [...Map.groupBy(steps, placeOf)].map(([place, group]) => ({
    group,
    phase: phaseOf(place, group),
  }));
  for (const phase of [0, 1, 2]) {
    const due = groups.filter((group) => group.phase === phase);
    const options = { limit: IN_FLIGHT, signal: tools.context.signal };
    await mapLimit(due, options, ({ group }) => applyGroup(group, tools));
  }
}

function phaseOf(place: string, group: readonly RestoreStep[]): number {
  if (!place.startsWith('IPAMHandle ')) return 1;
  return group.some(({ write }) => countedIn(write.before) > countedIn(write.after)) ? 0 : 2;
}

function countedIn(row: WritableRow | undefined): number {
  return row?.kind === 'IPAMHandle' ? row.counts.reduce((sum, { count }) => sum + count, 0) : 0;
}

/** Steps of one place go one after another: a block and the rows that claim it, or one row. */
function placeOf({ write: { before, after } }: RestoreStep): string {
  const row = before ?? after;
  if (row === undefined) return '';
  return row.kind === 'IPAMBlock' || row.kind === 'BlockAffinity'
    ? `block ${formatCidr(row.cidr)}`
    : rowKey(row);
}

async function applyGroup(group: readonly RestoreStep[], tools: RestoreTools): Promise<void> {
  for (const [at, step] of group.entries()) {
    try {
      const { write } = step;
      const isOfAddresses = step.addresses.length > 0 || write.before?.kind === 'IPAMBlock';
      if (isBlockWrite(write) && isOfAddresses) await restoreBlock({ ...step, write }, tools);
      else await restoreRow(step, at === group.length - 1, tools);
    } catch (error) {
      if (tools.context.signal.aborted || error instanceof UnavailableError) throw error;
      failRest(step, tools, error);
    }
  }
}
