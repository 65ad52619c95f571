import { AlreadyExistsError } from '../../errors/already-exists-error.ts';
import { ConflictError } from '../../errors/conflict-error.ts';
import { PreconditionError } from '../../errors/precondition-error.ts';
import { finalizersOf, metadataOf } from '../../ipam/model/object-metadata.ts';
import type { PoolRow } from '../../ipam/model/pool.ts';
import { sourceMarkOf, type SplitMark } from '../../ipam/split/mark.ts';
import {
  changeOfPart,
  disabledPool,
  isAsBefore,
  type PartPlan,
  partPool,
  unmarkedPool,
  wholePool,
} from '../../ipam/split/part-pool.ts';
import { partName } from '../../ipam/split/parts.ts';
import { cidrsEqual, formatCidr } from '../../net/cidr.ts';
import type { OperationContext } from '../context.ts';
import type { RowAccess } from '../row-access.ts';
import { withRetries } from '../with-retries.ts';
import type { Writer } from '../writer.ts';
import { assertNoForeignFinalizer, isPart } from './assert-splittable.ts';

/** The tools of one run. */
export interface SplitTools {
  readonly context: OperationContext;
  readonly access: RowAccess;
  readonly writer: Writer;
}

/** How a step ended: it wrote, or it found what it wanted. */
export type StepEnd = 'applied' | 'already';

/** Disables the pool and marks it with what it was, so that the same command goes on, or back, from here. */
export async function disableSource(mark: SplitMark, tools: SplitTools): Promise<StepEnd> {
  return withRetries(tools.context, async (attempt) => {
    const row = await readSource(mark, tools, attempt);
    if (row.disabled && sourceMarkOf(row) !== undefined) return 'already';
    await tools.writer.update(row, disabledPool(row, mark), { action: 'disable-pool' });
    return 'applied';
  });
}

/** Gives the pool the disabled state back that it had, and takes the mark off. */
export async function unmarkSource(mark: SplitMark, tools: SplitTools): Promise<StepEnd> {
  const { disabled } = mark.origin;
  return withRetries(tools.context, async (attempt) => {
    const row = await readSource(mark, tools, attempt);
    if (isAsBefore(row, mark.origin)) return 'already';
    const action = disabled ? 'disable-pool' : 'enable-pool';
    await tools.writer.update(row, unmarkedPool(row, mark), { action });
    return 'applied';
  });
}

/** Makes one part. */
export async function createPart(
  plan: PartPlan,
  index: number,
  tools: SplitTools,
): Promise<StepEnd> {
  return create(partPool(plan, index), tools, (found) => isPart(found, { ...plan, index }));
}

/** Makes the pool again, disabled. */
export async function createSource(plan: PartPlan, tools: SplitTools): Promise<StepEnd> {
  const isOurs = (found: PoolRow): boolean =>
    cidrsEqual(found.cidr, plan.origin.cidr) && sourceMarkOf(found) !== undefined;
  return create(wholePool(plan), tools, isOurs);
}

/** Deletes the pool. */
export async function removeSource({ origin }: SplitMark, tools: SplitTools): Promise<StepEnd> {
  return remove(origin.name, tools, (row) => {
    if (!cidrsEqual(row.cidr, origin.cidr)) throw changed(origin.name);
  });
}

/** Deletes one part, provided that it is as it was made. */
export async function removePart(
  { origin, number }: SplitMark,
  index: number,
  tools: SplitTools,
): Promise<StepEnd> {
  const name = partName(origin.name, number, index);
  return remove(name, tools, (row) => {
    const change = isPart(row, { origin, number, index })
      ? changeOfPart(row, { origin, number, index })
      : 'it is no part of that pool any more';
    if (change !== undefined) throw new PreconditionError(`pool ${name} is kept: ${change}`);
  });
}

async function readSource(
  { origin }: SplitMark,
  { access }: SplitTools,
  attempt: number,
): Promise<PoolRow> {
  const row = await access.read('IPPool', { name: origin.name }, attempt);
  if (row === undefined) throw new PreconditionError(`pool ${origin.name} is gone`);
  if (!cidrsEqual(row.cidr, origin.cidr)) throw changed(origin.name);
  return row;
}

async function create(
  row: PoolRow,
  { writer, access, context }: SplitTools,
  isOurs: (found: PoolRow) => boolean,
): Promise<StepEnd> {
  return withRetries(context, async () => {
    try {
      await writer.create(row, { action: 'create-pool', subject: poolSubject(row) });
      return 'applied';
    } catch (error) {
      if (!(error instanceof AlreadyExistsError)) throw error;
      const found = await access.read('IPPool', row.key);
      if (found === undefined) throw error;
      if (isOurs(found) && found.terminating !== true) return 'already';
      throw new PreconditionError(`pool ${row.key.name} was made by somebody else in between`);
    }
  });
}

/**
 * Deletes a pool for good: Calico's finalizer is taken off, again and again if its controller puts it back, since that
 * would keep the pool for as long as blocks lie in it.
 */
async function remove(
  name: string,
  { writer, access, context }: SplitTools,
  assertMeant: (row: PoolRow) => void,
): Promise<StepEnd> {
  let isAnyWritten = false;
  return withRetries(context, async (attempt) => {
    const row = await access.read('IPPool', { name }, attempt);
    if (row === undefined) return isAnyWritten ? 'applied' : 'already';
    assertMeant(row);
    assertNoForeignFinalizer(row);
    const purpose = { action: 'delete-pool', subject: poolSubject(row) } as const;
    const hasFinalizer = finalizersOf(row.object).length > 0;
    isAnyWritten = true;
    const current = hasFinalizer ? await writer.update(row, withoutFinalizers(row), purpose) : row;
    await writer.remove(current, purpose);
    const left = await access.read('IPPool', { name });
    if (left !== undefined) throw new ConflictError(`pool ${name} is still being deleted`);
    return 'applied';
  });
}

function withoutFinalizers(row: PoolRow): PoolRow {
  const { finalizers: _finalizers, ...metadata } = metadataOf(row.object);
  return { ...row, object: { ...row.object, metadata } };
}

function poolSubject({ key, cidr }: PoolRow) {
  return { kind: 'IPPool', name: key.name, cidr: formatCidr(cidr) } as const;
}

function changed(name: string): PreconditionError {
  return new PreconditionError(`pool ${name} has been made anew with another prefix`);
}
