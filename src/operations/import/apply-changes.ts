import type { ObjectKind } from '../../datastore/object-store.ts';
import { AccessDeniedError } from '../../errors/access-denied-error.ts';
import { AlreadyExistsError } from '../../errors/already-exists-error.ts';
import { NotFoundError } from '../../errors/not-found-error.ts';
import { PreconditionError } from '../../errors/precondition-error.ts';
import { UnavailableError } from '../../errors/unavailable-error.ts';
import type { ImportedRow } from '../../ipam/migration/import-equal.ts';
import type { IpamConfigRow } from '../../ipam/model/ipam-config.ts';
import type { JsonObject } from '../../ipam/model/resource.ts';
import type { PlanItem } from '../../ipam/plan.ts';
import { mapLimit } from '../../support/map-limit.ts';
import type { OperationContext } from '../context.ts';
import type { ItemLedger } from '../item-ledger.ts';
import { createEntry, keyOf, type ObjectWriter, objectsOf } from '../object-writer.ts';
import type { RowAccess } from '../row-access.ts';
import type { UndoEntry } from '../undo/undo-log.ts';
import { withRetries } from '../with-retries.ts';
import type { Writer } from '../writer.ts';
import type { KindComparison } from './compare-all.ts';
import { type Change, compareObject, compareRow, updatedObject } from './comparison.ts';

/** Writes that are noted in the journal at a time, so that the disk is waited for seldom. */
const NOTED_TOGETHER = 2048;

/** The tools of one run. */
export interface ImportTools {
  readonly context: OperationContext;
  readonly access: RowAccess;
  readonly ledger: ItemLedger;
  readonly writer: Writer;
  readonly objects: ObjectWriter;
  /** Writes in flight. */
  readonly concurrency: number;
}

/** A change with the item that it carries out. */
interface Unit {
  readonly item: PlanItem;
  readonly change: Change;
}

/** How a change ended: written, or why it was not. */
type UnitEnd =
  'applied' | { readonly end: 'already' | 'refusal' | 'harmless'; readonly reason: string };

/**
 * Writes what is missing of one kind, several at a time. What somebody else made meanwhile is left; the rest goes on.
 * @throws {@link UnavailableError} and {@link AccessDeniedError}, after which nothing more can be written.
 */
export async function applyKind(
  { kind, compared }: KindComparison,
  tools: ImportTools,
): Promise<void> {
  const units = compared.flatMap(({ item, change }) => (change ? [{ item, change }] : []));
  if (units.length === 0) return;
  const { context, concurrency, writer } = tools;
  context.progress.step(`importing ${kind}`);
  const announce = (start: number): Promise<void> => {
    const announced = writer.announce(entriesOf(units.slice(start, start + NOTED_TOGETHER)));
    // Its failure is told when it is waited for.
    announced.catch(() => undefined);
    return announced;
  };
  let announced = Promise.resolve();
  let next = announce(0);
  await mapLimit(units, { limit: concurrency, signal: context.signal }, async (unit, position) => {
    if (position % NOTED_TOGETHER === 0) {
      announced = next;
      next = announce(position + NOTED_TOGETHER);
    }
    await announced;
    await applyUnit(unit, tools);
  });
}

/** Only what is created is known before it is sent; what is updated is read first. */
function entriesOf(units: readonly Unit[]): readonly UndoEntry[] {
  return units.flatMap(({ item, change }) => {
    if (change.type === 'create-object') return [createEntry(change.kind, change.object)];
    if (change.type !== 'create-row' || item.action === undefined) return [];
    const { action, subject } = item;
    return [{ action, subject, before: undefined, after: change.row }];
  });
}

async function applyUnit({ item, change }: Unit, tools: ImportTools): Promise<void> {
  const { ledger, context } = tools;
  try {
    const end = await withRetries(context, () => carryOut(item, change, tools));
    if (end === 'applied') ledger.applied(item);
    else ledger.kept(item, end.end, end.reason);
  } catch (error) {
    const isFinal = error instanceof UnavailableError || error instanceof AccessDeniedError;
    if (isFinal || context.signal.aborted) throw error;
    ledger.failed(item, error);
  }
}

function carryOut(item: PlanItem, change: Change, tools: ImportTools): Promise<UnitEnd> {
  switch (change.type) {
    case 'create-row':
      return createRow(item, change.row, tools);
    case 'update-row':
      return updateConfig(change.row, tools);
    case 'create-object':
      return createObject(change, tools);
    case 'update-object':
      return updateObject(item, change, tools);
  }
}

async function createRow(
  { action = 'create-object', subject }: PlanItem,
  row: ImportedRow,
  tools: ImportTools,
): Promise<UnitEnd> {
  try {
    await tools.writer.create(row, { action, subject });
    return 'applied';
  } catch (error) {
    if (!(error instanceof AlreadyExistsError)) throw error;
    const found = await tools.access.read(row.kind, row.key);
    if (found === undefined) throw error;
    const { item, change } = compareRow(row, found);
    if (change?.type === 'update-row') return updateConfig(change.row, tools);
    if (change !== undefined) throw error;
    return endOf(item);
  }
}

async function updateConfig(row: IpamConfigRow, tools: ImportTools): Promise<UnitEnd> {
  const found = await tools.access.read('IPAMConfig', row.key);
  const purpose = { action: 'set-configuration' } as const;
  if (found === undefined) {
    await tools.writer.create(row, purpose);
    return 'applied';
  }
  const { item, change } = compareRow(row, found);
  if (change === undefined) return endOf(item);
  const { key, revision, uid, createdAt, object } = found;
  await tools.writer.update(found, { ...row, key, revision, uid, createdAt, object }, purpose);
  return 'applied';
}

async function createObject(
  { kind, object }: { readonly kind: ObjectKind; readonly object: JsonObject },
  tools: ImportTools,
): Promise<UnitEnd> {
  try {
    await tools.objects.create(kind, object);
    return 'applied';
  } catch (error) {
    if (error instanceof NotFoundError) throw withoutNamespace(kind, object, error);
    if (!(error instanceof AlreadyExistsError)) throw error;
    const found = await readObject(kind, object, tools);
    if (found === undefined) throw error;
    const { item, change } = compareObject(kind, object, found);
    return change === undefined ? endOf(item) : updateObject(item, { kind, object }, tools);
  }
}

/** Nothing but its namespace can be missing for an object that is created. */
function withoutNamespace(kind: ObjectKind, object: JsonObject, cause: NotFoundError): Error {
  const { namespace, name } = keyOf(object);
  if (namespace === undefined) return cause;
  return new PreconditionError(`${kind} ${namespace}/${name} is left: there is no such namespace`, {
    hint: `create namespace ${namespace} and run the import again`,
    cause,
  });
}

async function updateObject(
  { action = 'set-configuration' }: PlanItem,
  { kind, object }: { readonly kind: ObjectKind; readonly object: JsonObject },
  tools: ImportTools,
): Promise<UnitEnd> {
  const before = await readObject(kind, object, tools);
  if (before === undefined) {
    if (kind === 'Node') return GONE;
    await tools.objects.create(kind, object);
    return 'applied';
  }
  const after = updatedObject(kind, object, before);
  if (after === undefined) return { end: 'already', reason: 'the target has it already' };
  await tools.objects.update({ kind, before, after }, action);
  return 'applied';
}

/** A node that went away meanwhile has no annotations to write. */
const GONE: UnitEnd = { end: 'harmless', reason: 'Kubernetes has no node of this name any more' };

function readObject(
  kind: ObjectKind,
  object: JsonObject,
  { context }: ImportTools,
): Promise<JsonObject | undefined> {
  return objectsOf(context.datastore).get(kind, keyOf(object), { signal: context.signal });
}

function endOf({ kept, reason }: PlanItem): UnitEnd {
  if (kept === 'already') return { end: 'already', reason: 'somebody else has made the same' };
  return { end: 'refusal', reason: `somebody else was faster: ${reason}` };
}
