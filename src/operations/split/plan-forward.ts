import { sourceMarkOf } from '../../ipam/split/mark.ts';
import { createPart, disableSource, removeSource } from './split-steps.ts';
import { indexesOf, partItem, sourceItem, type SplitStep } from './split-plan.ts';
import type { SplitTarget } from './split-target.ts';

/**
 * The writes that are left of a split: the pool disabled, its parts made in order, the pool deleted. Nothing is left when
 * the pool is gone and its parts tell of it.
 */
export function planForward(target: SplitTarget): readonly SplitStep[] {
  const { source, origin, number } = target;
  if (source === undefined) return doneSteps(target);
  const plan = { origin, number, model: source };
  return [
    {
      item: sourceItem(target, 'disable-pool', disableWords(target)),
      apply: (tools) => disableSource(target, tools),
    },
    ...(indexesOf(target).map((index) => ({
      item: partItem(target, index, partWords(target, index)),
      apply: (tools) => createPart(plan, index, tools),
    })) satisfies readonly SplitStep[]),
    {
      item: sourceItem(target, 'delete-pool', {
        precondition: 'all parts are there',
        reason: `its ${number} parts take its place; blocks, affinities and handles stay as they are`,
      }),
      apply: (tools) => removeSource(target, tools),
    },
  ];
}

function disableWords({ source, origin }: SplitTarget) {
  if (source?.disabled === true && sourceMarkOf(source))
    return { precondition: '', reason: 'it is disabled', kept: 'already' } as const;
  const reason = origin.disabled
    ? 'it is disabled already; what it was is noted on it'
    : 'nothing may be assigned from it while its parts are made';
  return { precondition: 'as it was read', reason } as const;
}

function partWords({ parts, origin, number }: SplitTarget, index: number) {
  const action = 'create-pool';
  if (parts.has(index))
    return { action, precondition: '', reason: 'this part was made', kept: 'already' } as const;
  const state = origin.disabled ? ', disabled as the pool was' : '';
  const reason = `part ${index + 1} of ${number} of pool ${origin.name}${state}`;
  return { action, precondition: 'no pool has its name', reason } as const;
}

function doneSteps(target: SplitTarget): readonly SplitStep[] {
  const { parts, origin } = target;
  const kept = { precondition: '', kept: 'already' } as const;
  const reason = `pool ${origin.name} was split, and this is a part of it`;
  const apply = () => Promise.resolve('already' as const);
  return [
    ...indexesOf(target)
      .filter((index) => parts.has(index))
      .map((index) => ({
        item: partItem(target, index, { action: 'create-pool', reason, ...kept }),
        apply,
      })),
    { item: sourceItem(target, 'delete-pool', { reason: 'it is gone', ...kept }), apply },
  ];
}
