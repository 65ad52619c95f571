import type { WriteRight } from '../../datastore/datastore.ts';
import { rightsOf } from '../assert-rights.ts';
import { isBlockWrite, type RestoreStep } from './restore-plan.ts';

/**
 * Rights that taking these steps back needs: those of the items, and for blocks that are made anew or go, that too.
 * @param isThere Whether the block of a step is stored now.
 */
export function restoreRights(
  steps: readonly RestoreStep[],
  isThere: (step: RestoreStep) => boolean,
): readonly WriteRight[] {
  const items = steps.flatMap(({ addresses, item }) => [
    ...addresses.map(({ item }) => item),
    ...(item ? [item] : []),
  ]);
  const due = steps.filter(
    ({ write, addresses, item }) =>
      isBlockWrite(write) &&
      [...addresses.map(({ item }) => item), item].some((one) => one && one.kept === undefined),
  );
  const blocks = due.flatMap((step): readonly WriteRight[] => {
    if (step.write.before === undefined) return [{ verb: 'delete', kind: 'IPAMBlock' }];
    return isThere(step) ? [] : [{ verb: 'create', kind: 'IPAMBlock' }];
  });
  return distinctRights([...rightsOf(items), ...blocks]);
}

/** Each right once. */
export function distinctRights(rights: readonly WriteRight[]): readonly WriteRight[] {
  return [...new Map(rights.map((right) => [`${right.verb} ${right.kind}`, right])).values()];
}
