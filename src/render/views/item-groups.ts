import type { PlanItem } from '../../ipam/plan.ts';
import type { ItemError } from '../../operations/documents/outcome-document.ts';

/** An item of a plan or an outcome, as far as a text shows it. */
export type ShownItem = Pick<PlanItem, 'action' | 'subject' | 'reason' | 'code'> & {
  readonly error?: ItemError | undefined;
};

/** Items of one sort: same action, same cause as far as it is common. */
export interface ItemGroup<T extends ShownItem> {
  /** Action and cause in a few words. */
  readonly label: string;
  readonly items: readonly T[];
}

/** Up to so many items are listed as they are; more are counted by sort first. */
const FEW = 20;
/** Items of a sort that are shown unless all were asked for, as of the findings of a code. */
const SHOWN = 10;
/** Sorts that are counted apart at most, and the part of all items that one has to have for that. */
const MOST_GROUPS = 8;
const LEAST_PART = 1 / 20;
/** What a reason says of this item alone: `its pod does not exist (Pod shop/cart-0)`. */
const DETAIL = / \([^()]*\)/g;

/** Whether an item is one of several addresses that were asked for by number alone. */
export function isUnnamed({ subject }: ShownItem): boolean {
  return subject.kind === 'Address' && subject.address === undefined;
}

/** Whether there are more items than fit on a screen. */
export function isMany(items: readonly unknown[]): boolean {
  return items.length > FEW;
}

/** Items by action and cause, the commonest first; what is rare is counted by its action alone. */
export function groupItems<T extends ShownItem>(items: readonly T[]): readonly ItemGroup<T>[] {
  const groups = sortsOf(items);
  const isApart = ({ items: own }: ItemGroup<T>, at: number): boolean =>
    at < MOST_GROUPS && own.length >= items.length * LEAST_PART;
  const rest = groups.filter((group, at) => !isApart(group, at));
  if (rest.length < 2) return groups;
  return [...groups.filter(isApart), ...mergedByAction(rest)];
}

/** Items by action and cause, the commonest first, however many sorts there are. */
export function sortsOf<T extends ShownItem>(items: readonly T[]): readonly ItemGroup<T>[] {
  return groupsBy(items, labelOf);
}

function mergedByAction<T extends ShownItem>(
  groups: readonly ItemGroup<T>[],
): readonly ItemGroup<T>[] {
  const byAction = Map.groupBy(groups, ({ items: [first] }) => first && actionOf(first));
  return [...byAction].map(([action = 'others', own]) => {
    const [only] = own;
    if (only !== undefined && own.length === 1) return only;
    const items = own.flatMap((group) => group.items);
    return { label: `${action}, for various reasons`, items };
  });
}

function groupsBy<T extends ShownItem>(
  items: readonly T[],
  label: (item: T) => string,
): readonly ItemGroup<T>[] {
  return [...Map.groupBy(items, label)]
    .map(([name, own]) => ({ label: name, items: own }))
    .sort((a, b) => b.items.length - a.items.length);
}

/** The first items of each sort, in their own order; all of them when there are few, or when all were asked for. */
export function itemsToShow<T extends ShownItem>(
  items: readonly T[],
  isComplete = false,
): readonly T[] {
  if (isComplete || !isMany(items)) return items;
  const shown = new Set(groupItems(items).flatMap((group) => group.items.slice(0, SHOWN)));
  return items.filter((item) => shown.has(item));
}

function labelOf(item: ShownItem): string {
  const { code, reason, error } = item;
  const cause = error?.code ?? code ?? commonPart(reason);
  const action = actionOf(item);
  return action === undefined ? cause : `${action}: ${cause}`;
}

/** A reason without its details and without words with a digit, which are names, addresses or counts most often. */
function commonPart(reason: string): string {
  return reason
    .replace(DETAIL, '')
    .split(' ')
    .map((word) => (/\d/.test(word) ? `…${/[,;:.]?$/.exec(word)?.[0] ?? ''}` : word))
    .join(' ');
}

function actionOf({ action, subject }: ShownItem): string | undefined {
  return action === 'create-object' ? `${action} ${subject.kind}` : action;
}
