import { countOf, groupDigits } from '../numbers.ts';
import { printable } from '../printable.ts';
import type { Tone } from '../theme.ts';
import type { Surface } from '../view.ts';
import { wrapText } from '../wrap.ts';
import { changeLines, itemText } from './changes.ts';
import {
  groupItems,
  isMany,
  isUnnamed,
  itemsToShow,
  type ShownItem,
  sortsOf,
} from './item-groups.ts';

/** How much of its lists a text shows. */
export interface ListOptions {
  /** Every item instead of the first few of each sort. */
  readonly isComplete?: boolean | undefined;
}

/** How to see what a text leaves out. */
export const ALL_BY_VERBOSE = '--verbose lists all';

/** A list of a text. */
export interface ListSpec extends ListOptions {
  readonly surface: Surface;
  /** How to see what is left out. */
  readonly allBy?: string | undefined;
}

/** Changes as a table; of many a count of each sort first, and then the first ones of it. */
export function changeSection(items: readonly ShownItem[], spec: ListSpec): readonly string[] {
  const shown = itemsToShow(items, spec.isComplete);
  return [
    ...countLines(items, spec.surface),
    ...changeLines(shown, spec.surface),
    ...moreLines(items.length - shown.length, spec),
  ];
}

/** Items under a title with their count, each with its reason or with what went wrong; empty without items. */
export function itemSection(
  { title, tone, items }: { title: string; tone: Tone; items: readonly ShownItem[] },
  spec: ListSpec,
): readonly string[] {
  if (items.length === 0) return [];
  const { theme } = spec.surface;
  const named = items.filter((item) => !isUnnamed(item));
  const shown = itemsToShow(named, spec.isComplete);
  return [
    '',
    theme[tone](theme.heading(`${title}: ${groupDigits(items.length)}`)),
    ...countLines(named, spec.surface),
    ...sortsOf(shown).flatMap((group) => groupLines(group.items, spec.surface)),
    ...moreLines(named.length - shown.length, spec),
    ...unnamedLines(items.filter(isUnnamed), spec.surface),
  ];
}

/** Texts as bullets, the first ones of many. */
export function bulletLines(
  texts: readonly string[],
  most: number,
  spec: ListSpec,
): readonly string[] {
  const shown = spec.isComplete ? texts : texts.slice(0, most);
  const { width } = spec.surface;
  return [
    ...shown.flatMap((text) => wrapText(printable(text), { width, first: '  - ' })),
    ...moreLines(texts.length - shown.length, spec),
  ];
}

/** Notes of a document, one below the other. */
export function noteLines(notes: readonly string[], { width }: Surface): readonly string[] {
  if (notes.length === 0) return [];
  return ['', ...notes.flatMap((note) => wrapText(printable(note), { width }))];
}

/** Items of one sort; what all of them end with, such as a remedy, stands once below. */
function groupLines(items: readonly ShownItem[], { width }: Surface): readonly string[] {
  const texts = items.map(itemText);
  const end = commonEnd(texts);
  const starts = texts.map((text) => text.slice(0, text.length - end.length).trimEnd());
  return [
    ...starts.flatMap((text) => wrapText(printable(text), { width, first: '  - ' })),
    ...(end === '' ? [] : wrapText(printable(end), { width, first: '    For each: ' })),
  ];
}

/** What has no name is told apart by its reason alone, so each reason has a line. */
function unnamedLines(items: readonly ShownItem[], { width }: Surface): readonly string[] {
  const byReason = Map.groupBy(items, ({ reason, error }) => error?.message ?? reason);
  return [...byReason].flatMap(([reason, { length }]) =>
    wrapText(printable(`${countOf(length, 'address', 'addresses')}: ${reason}`), {
      width,
      first: '  - ',
    }),
  );
}

/** The sentences in which several texts end alike, but for the first of each text. */
function commonEnd([first = '', ...others]: readonly string[]): string {
  if (others.length === 0) return '';
  for (const { index } of first.matchAll(/(?<=\. )\S/g)) {
    const end = first.slice(index);
    if (others.every((text) => text.endsWith(`. ${end}`))) return end;
  }
  return '';
}

/** How many items of each sort there are, where there are too many to see that. */
function countLines(items: readonly ShownItem[], { width }: Surface): readonly string[] {
  if (!isMany(items)) return [];
  const groups = groupItems(items).map(({ label, items: own }) => ({
    label,
    count: groupDigits(own.length),
  }));
  const digits = Math.max(...groups.map(({ count }) => count.length));
  return [
    ...groups.flatMap(({ label, count }) =>
      wrapText(printable(label), { width, first: `  ${count.padStart(digits)}  ` }),
    ),
    '',
  ];
}

function moreLines(
  hidden: number,
  { surface: { width }, allBy = ALL_BY_VERBOSE }: ListSpec,
): readonly string[] {
  if (hidden === 0) return [];
  return wrapText(`... and ${groupDigits(hidden)} more; ${allBy}`, { width, first: '  ' });
}
