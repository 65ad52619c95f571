import { InternalError } from '../../errors/internal-error.ts';
import { PreconditionError } from '../../errors/precondition-error.ts';
import type { PoolRow } from '../../ipam/model/pool.ts';
import { sourceMarkOf, partMarkOf } from '../../ipam/split/mark.ts';
import { changeOfPart, isAsBefore } from '../../ipam/split/part-pool.ts';
import { partName } from '../../ipam/split/parts.ts';
import { assertNoForeignFinalizer, assertNoOverlap, isPart } from './assert-splittable.ts';
import type { SplitLook } from './split-look.ts';
import { indexesOf, partItem, sourceItem, type SplitStep } from './split-plan.ts';
import {
  createSource,
  disableSource,
  removePart,
  removeSource,
  unmarkSource,
} from './split-steps.ts';
import type { SplitTarget } from './split-target.ts';

/**
 * Refuses to make a pool whole again when something would be lost by it: a part that was changed, deleted or split since,
 * or another pool in its place.
 * @throws {@link PreconditionError}
 */
export function assertMendable(target: SplitTarget, look: SplitLook): void {
  const { origin, source, number } = target;
  for (const index of indexesOf(target)) {
    const name = partName(origin.name, number, index);
    assertNotSplit(name, look);
    const part = target.parts.get(index);
    if (part) assertAsMade(part, target, index);
    else if (source === undefined)
      throw refusal(`pool ${name}, a part of ${origin.name}, is gone`, 'make the pool by hand');
  }
  assertNoOverlap(target, look);
  if (source === undefined && look.names.has(origin.name))
    throw refusal(`there is another pool ${origin.name} now`, 'remove or rename that pool first');
}

function assertNotSplit(name: string, { pools }: SplitLook): void {
  const isSplit = pools.some(
    (pool) =>
      partMarkOf(pool)?.origin.name === name ||
      (pool.key.name === name && sourceMarkOf(pool) !== undefined),
  );
  if (!isSplit) return;
  throw refusal(`pool ${name} has been split itself`, `make it whole first, with --name ${name}`);
}

function assertAsMade(part: PoolRow, { origin, number }: SplitTarget, index: number): void {
  const mark = { origin, number, index };
  const change = isPart(part, mark) ? changeOfPart(part, mark) : 'it has another name or prefix';
  assertNoForeignFinalizer(part);
  if (change === undefined) return;
  throw refusal(
    `pool ${part.key.name} is not as it was made: ${change}`,
    'set it back as the other parts are, or keep the parts',
  );
}

function refusal(message: string, hint: string): PreconditionError {
  return new PreconditionError(message, { hint });
}

/** The writes that make a pool whole again: the pool made, disabled; its parts deleted; the disabled state set. */
export function planBack(target: SplitTarget): readonly SplitStep[] {
  if (!target.isMarked) return [wholeStep(target)];
  const parts = [...target.parts.keys()].sort((a, b) => b - a);
  return [
    ...beginSteps(target),
    ...(parts.map((index) => ({
      item: partItem(target, index, {
        action: 'delete-pool',
        precondition: 'as it was made',
        reason: `pool ${target.origin.name} takes its place again`,
      }),
      apply: (tools) => removePart(target, index, tools),
    })) satisfies readonly SplitStep[]),
    ...endSteps(target),
  ];
}

function wholeStep(target: SplitTarget): SplitStep {
  const { disabled } = target.origin;
  const words = { precondition: '', reason: 'it is whole', kept: 'already' } as const;
  return {
    item: sourceItem(target, disabled ? 'disable-pool' : 'enable-pool', words),
    apply: () => Promise.resolve('already'),
  };
}

/** What has to be there before the first part goes: the pool, with a record of its disabled state where that differs. */
function beginSteps(target: SplitTarget): readonly SplitStep[] {
  const { source, origin } = target;
  if (source === undefined) return [creation(target)];
  if (source.terminating === true) return [finishRemoval(target), creation(target)];
  if (sourceMarkOf(source) || isAsBefore(source, origin)) return [];
  return [
    {
      item: sourceItem(target, 'disable-pool', {
        precondition: 'as it was read',
        reason: 'nothing may be assigned from it while its parts go',
      }),
      apply: (tools) => disableSource(target, tools),
    },
  ];
}

function creation(target: SplitTarget): SplitStep {
  const { origin, number, parts, source } = target;
  const model = source ?? [...parts.values()][0];
  if (model === undefined) throw new InternalError(`nothing is left of pool ${origin.name}`);
  return {
    item: sourceItem(target, 'create-pool', {
      precondition: 'no pool has its name',
      reason: 'it is made again as it was, disabled at first',
    }),
    apply: (tools) => createSource({ origin, number, model }, tools),
  };
}

function finishRemoval(target: SplitTarget): SplitStep {
  return {
    item: sourceItem(target, 'delete-pool', {
      precondition: 'marked for deletion',
      reason: 'its deletion was begun and cannot be taken back',
    }),
    apply: (tools) => removeSource(target, tools),
  };
}

/** The last write; none where the pool was never changed. */
function endSteps(target: SplitTarget): readonly SplitStep[] {
  const { source, origin } = target;
  if (source && source.terminating !== true && isAsBefore(source, origin)) return [];
  return [
    {
      item: sourceItem(target, origin.disabled ? 'disable-pool' : 'enable-pool', {
        precondition: 'its parts are gone',
        reason: `it was ${origin.disabled ? 'disabled' : 'enabled'} before it was split`,
      }),
      apply: (tools) => unmarkSource(target, tools),
    },
  ];
}
