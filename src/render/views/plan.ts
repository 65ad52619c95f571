import type { PlanDocument } from '../../operations/documents/plan-document.ts';
import { printable } from '../printable.ts';
import type { Surface, View } from '../view.ts';
import { wrapText } from '../wrap.ts';
import { totalsOf } from './counts.ts';
import { isMany } from './item-groups.ts';
import { changeSection, itemSection, type ListOptions, noteLines } from './item-lists.ts';
import { sourceText } from './source.ts';

/** `--dry-run`, and what is shown before the user is asked. */
export function planView(options: ListOptions = {}): View<PlanDocument> {
  return { text: (document, surface) => planText(document, surface, options) };
}

function planText(document: PlanDocument, surface: Surface, options: ListOptions): string {
  const { theme, width } = surface;
  const { items, kept, command, source } = document;
  const spec = { surface, ...options };
  const heading = (text: string): readonly string[] =>
    wrapText(printable(text), { width }).map(theme.heading);
  const keptAs = (result: 'skipped' | 'already') => kept.filter((item) => item.result === result);
  // Whoever comes to the end of a long text, and is asked there, has the head of it no longer in sight.
  const isLong = items.length > 0 && isMany([...items, ...kept]);
  return [
    ...heading(`Plan of ${command} for ${sourceText(source)}: ${totalsText(document)}.`),
    ...(items.length > 0 ? ['', ...changeSection(items, spec)] : []),
    ...itemSection({ title: 'Left alone', tone: 'warning', items: keptAs('skipped') }, spec),
    ...itemSection({ title: 'Already done', tone: 'muted', items: keptAs('already') }, spec),
    ...noteLines(document.notes, surface),
    ...(items.length === 0 ? ['', 'There is nothing to write.'] : []),
    ...(isLong ? ['', ...heading(`In all: ${totalsText(document)}.`)] : []),
  ].join('\n');
}

function totalsText({ totals: { planned, already, skipped } }: PlanDocument): string {
  return totalsOf([planned, 'to apply'], [already, 'already done'], [skipped, 'left alone']);
}
