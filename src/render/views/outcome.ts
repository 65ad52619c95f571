import type {
  ItemResult,
  OutcomeDocument,
  OutcomeItem,
} from '../../operations/documents/outcome-document.ts';
import { groupDigits } from '../numbers.ts';
import { printable } from '../printable.ts';
import type { Surface, View } from '../view.ts';
import { commandLines, wrapText } from '../wrap.ts';
import { totalsOf } from './counts.ts';
import { isMany } from './item-groups.ts';
import {
  ALL_BY_VERBOSE,
  changeSection,
  itemSection,
  type ListOptions,
  type ListSpec,
  noteLines,
} from './item-lists.ts';
import { shellWord, sourceFlags, sourceText } from './source.ts';

/** What a command that writes has done: what went wrong comes first. */
export function outcomeView(options: ListOptions = {}): View<OutcomeDocument> {
  return { text: (document, surface) => outcomeText(document, surface, options) };
}

function outcomeText(document: OutcomeDocument, surface: Surface, options: ListOptions): string {
  const { theme, width } = surface;
  const { command, source, items } = document;
  const heading = (text: string): readonly string[] =>
    wrapText(printable(text), { width }).map(theme.heading);
  return [
    ...heading(`${command} on ${sourceText(source)}: ${totalsText(document)}.`),
    ...resultSections(document, { surface, ...options }),
    ...noteLines(document.notes, surface),
    ...(items.length === 0 ? ['', 'There was nothing to write.'] : []),
    // Whoever comes to the end of a long text has the head of it no longer in sight.
    ...(isMany(items) ? ['', ...heading(`In all: ${totalsText(document)}.`)] : []),
    ...undoLines(document, surface),
  ].join('\n');
}

function undoLines(document: OutcomeDocument, surface: Surface): readonly string[] {
  const file = undoFileOf(document);
  if (file === undefined) return [];
  const command = `ipamctl ipam restore ${shellWord(file)}${sourceFlags(document.source)}`;
  return ['', ...commandLines('To take it back:', command, surface)];
}

function resultSections(document: OutcomeDocument, spec: ListSpec): readonly string[] {
  const { theme } = spec.surface;
  const of = (result: ItemResult): readonly OutcomeItem[] =>
    document.items.filter((item) => item.result === result);
  const left = [
    ...itemSection({ title: 'Failed', tone: 'problem', items: of('failed') }, spec),
    ...itemSection({ title: 'Left alone', tone: 'warning', items: of('skipped') }, spec),
  ];
  const applied = of('applied');
  // What is done is not listed by running the command again.
  const allBy = undoFileOf(document) === undefined ? ALL_BY_VERBOSE : 'the undo file records all';
  const done = applied.length > 0 ? changeSection(applied, { ...spec, allBy }) : [];
  const title = left.length > 0 ? [theme.heading(`Applied: ${groupDigits(applied.length)}`)] : [];
  return [
    ...left,
    ...(done.length > 0 ? ['', ...title, ...done] : []),
    ...itemSection({ title: 'Already done', tone: 'muted', items: of('already') }, spec),
  ];
}

/** The file by which the changes can be taken back, if there are any. */
function undoFileOf({ undoFile, totals }: OutcomeDocument): string | undefined {
  return totals.applied === 0 ? undefined : undoFile;
}

function totalsText({ totals: { applied, already, skipped, failed } }: OutcomeDocument): string {
  return totalsOf(
    [applied, 'applied'],
    [already, 'already done'],
    [skipped, 'left alone'],
    [failed, 'failed'],
  );
}
