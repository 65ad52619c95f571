import type { JsonValue } from '../../ipam/model/resource.ts';
import { stringifyJson } from '../../support/json.ts';
import { elementSpans, skipBlanks, type Span } from './json-spans.ts';

const FIRST_INDENT = /\n( +)\S/;
/** Blanks a level where a text shows none. */
const DEFAULT_INDENT = 2;

/** What becomes of an element: it stays, goes, or gets this text. */
export type ElementEdit = 'keep' | 'remove' | { readonly text: string };

/** A replacement in a text. */
export interface TextEdit extends Span {
  readonly text: string;
}

/** The text with all replacements made; they must not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let done = 0;
  for (const { start, end, text: replacement } of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(done, start) + replacement;
    done = end;
  }
  return result + text.slice(done);
}

/**
 * The array that begins at `array.start`, with some elements changed and new ones at its end. What stays keeps its text
 * and the blanks around it.
 *
 * @param added New elements; each is laid out as the one before.
 */
export function editArray(
  text: string,
  array: Span,
  {
    edits,
    added,
  }: { readonly edits: readonly ElementEdit[]; readonly added: readonly JsonValue[] },
): TextEdit | undefined {
  if (added.length === 0 && edits.every((edit) => edit === 'keep')) return undefined;
  const spans = elementSpans(text, array.start);
  const last = spans.at(-1);
  const kept = spans.flatMap((span, i) => {
    const edit = edits[i] ?? 'keep';
    if (edit === 'remove') return [];
    const blanks = text.slice(spans[i - 1]?.end ?? array.start + 1, span.start).replace(',', '');
    return [blanks + (edit === 'keep' ? text.slice(span.start, span.end) : edit.text)];
  });
  const blanks = last ? leadingBlanks(text, last.start) : leadOfFirst(text, array);
  const model = last ?? { start: array.end - 1, end: array.end - 1 };
  const isNew = last === undefined;
  const elements = [
    ...kept,
    ...added.map((value) => blanks + layOut(value, { text, model, isNew })),
  ];
  if (elements.length === 0) return { ...array, text: '[]' };
  const tail = last ? text.slice(last.end, array.end) : `${closingBlanks(text, array)}]`;
  return { ...array, text: `[${elements.join(',')}${tail}` };
}

/** A value in the layout of the text that it replaces, or of its neighbour. */
export function layOut(
  value: JsonValue,
  {
    text,
    model,
    isNew = false,
  }: { readonly text: string; readonly model: Span; readonly isNew?: boolean },
): string {
  const sample = text.slice(model.start, model.end);
  const isLaidOut = isNew ? FIRST_INDENT.test(text) : sample.includes('\n');
  if (!isLaidOut) return stringifyJson(value);
  const width = FIRST_INDENT.exec(text)?.[1]?.length ?? DEFAULT_INDENT;
  const base = isNew
    ? indentOfLine(text, model.start) + ' '.repeat(width)
    : indentOfLine(text, model.start);
  return stringifyJson(value, Math.min(width, 10)).replaceAll('\n', `\n${base}`);
}

/** Blanks at the begin of the line in which a position stands. */
function indentOfLine(text: string, position: number): string {
  const start = text.lastIndexOf('\n', position - 1) + 1;
  return text.slice(start, skipBlanks(text, start)).replace(/[^ \t].*/s, '');
}

function leadingBlanks(text: string, start: number): string {
  let from = start;
  while (from > 0 && ' \t\r\n'.includes(text.charAt(from - 1))) from--;
  return text.slice(from, start);
}

function leadOfFirst(text: string, array: Span): string {
  const width = FIRST_INDENT.exec(text)?.[1]?.length;
  return width === undefined ? '' : `\n${indentOfLine(text, array.start)}${' '.repeat(width)}`;
}

function closingBlanks(text: string, array: Span): string {
  return FIRST_INDENT.test(text) ? `\n${indentOfLine(text, array.start)}` : '';
}
