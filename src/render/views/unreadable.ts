import type {
  UnreadableEntry,
  UnreadablePart,
} from '../../operations/documents/unreadable-entry.ts';
import type { DocumentSource } from '../../operations/outcome.ts';
import { htmlParagraph } from '../html.ts';
import { countOf, groupDigits } from '../numbers.ts';
import { printable } from '../printable.ts';
import type { Surface } from '../view.ts';
import { commandLines, wrapText } from '../wrap.ts';
import { sourceFlags } from './source.ts';

/** Rows that are named; of more only the number is told. */
const NAMED = 5;

/** A document that may rest on rows that cannot be read. */
type Document = UnreadablePart & { readonly source: DocumentSource };

/** What a text says of rows that cannot be read, and how to see what is wrong with them; empty when all can. */
export function unreadableLines(document: Document, surface: Surface): string[] {
  const { theme, width } = surface;
  const text = unreadableText(document);
  if (text === undefined) return [];
  const command = `ipamctl ipam check --only unreadable-object${sourceFlags(document.source)}`;
  return [
    '',
    ...wrapText(printable(text), { width }).map(theme.warning),
    ...commandLines('What is wrong with each:', command, surface),
  ];
}

/** The same on a page. */
export function unreadableParagraphs(document: UnreadablePart): string[] {
  const text = unreadableText(document);
  return text === undefined ? [] : [htmlParagraph(text)];
}

function unreadableText({ unreadable = [] }: UnreadablePart): string | undefined {
  if (unreadable.length === 0) return undefined;
  const named = unreadable.slice(0, NAMED).map(nameOf).join(', ');
  const more =
    unreadable.length > NAMED ? ` and ${groupDigits(unreadable.length - NAMED)} more` : '';
  return `${countOf(unreadable.length, 'row')} cannot be read, and what such a row holds is not known here: ${named}${more}.`;
}

function nameOf({ kind, namespace, name }: UnreadableEntry): string {
  const place = namespace === undefined ? '' : `${namespace}/`;
  return name === '' ? `${kind} without readable name` : `${kind} ${place}${name}`;
}
