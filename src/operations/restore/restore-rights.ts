import type { WriteRight } from '../../datastore/datastore.ts';
import { rightsOf } from '../assert-rights.ts';
import { isBlockWrite, type RestoreStep } from './restore-plan.ts';

/**
 * Rights that taking these steps back needs: those of the items, for blocks that are made anew or go, that too,
 * and for the configuration what becomes of it.
 * @param isThere Whether the block of a step is stored now.
 */
export function restoreRights(
  steps: readonly RestoreStep[],
  isThere: (step: RestoreStep) => boolean,
): readonly WriteRight[] {
  const items = steps.flatMap(({ addresses, item }) => [
    ...addresses.map(({ item }) => item),
    ...(item && item.subject.kind !== 'IPAMConfig' ? [item] : []),
  ]);
  const settings = steps.filter(
    ({ write, item }) =>
      (write.before ?? write.after)?.kind === 'IPAMConfig' && item && item.kept === undefined,
  );
  const due = steps.filter(
    ({ write, addresses, item }) =>
      isBlockWrite(write) &&
      [...addresses.map(({ item }) => item), item].some((one) => one && one.kept === undefined),
  );
  const blocks = due.flatMap((step): readonly WriteRight[] => {
    if (step.write.before === undefined) return [{ verb: 'delete', kind: 'IPAMBlock' }];
    return isThere(step) ? [] : [{ verb: 'create', kind: 'IPAMBlock' }];
  });
  return distinctRights([...rightsOf(items), ...blocks, ...settings.map(rightOfSettings)]);
}

/** The one right that the configuration needs, which its action does not tell: it is made, changed, or goes. */
function rightOfSettings({ write: { before, after } }: RestoreStep): WriteRight {
  const verb = after === undefined ? 'create' : 'update';
  return { verb: before === undefined ? 'delete' : verb, kind: 'IPAMConfig' };
}

/** Each right once. */
export function distinctRights(rights: readonly WriteRight[]): readonly WriteRight[] {
  return [...new Map(rights.map((right) => [`${right.verb} ${right.kind}`, right])).values()];
}
