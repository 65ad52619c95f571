import { calledAs } from './called-as.ts';
import { textWidth } from './text-width.ts';

/** Prose gets hard to read beyond this many columns, however wide the terminal is. */
const WIDEST_PROSE = 100;

/** How to wrap. */
export interface WrapOptions {
  /** Columns of the surface. */
  readonly width: number;
  /** Before the first line, such as a bullet; it counts as width. */
  readonly first?: string | undefined;
  /** Before every further line; blanks as wide as `first` when absent, fewer where lines are short. */
  readonly rest?: string | undefined;
}

/** Lines that hang by more than this share of the width leave the text too little room. */
const WIDEST_HANG = 1 / 4;
/** Blanks before further lines then, beside those before the first. */
const SHORT_HANG = 2;

/**
 * Breaks a text between words; a word that is longer than a line stays whole, so that it can be copied, and so does what
 * stands in backticks if a line can hold it.
 */
export function wrapText(
  text: string,
  { width, first = '', rest = hanging(first, width) }: WrapOptions,
): string[] {
  const room = Math.min(width, WIDEST_PROSE);
  const lines: string[] = [];
  let line = first;
  let isFresh = true;
  for (const word of wordsOf(text, room - textWidth(rest))) {
    if (!isFresh && textWidth(line) + 1 + textWidth(word) > room) {
      lines.push(line);
      line = rest;
      isFresh = true;
    }
    line += isFresh ? word : ` ${word}`;
    isFresh = false;
  }
  lines.push(line);
  return lines;
}

/** Words, and commands in backticks that are no longer than a line. */
function wordsOf(text: string, room: number): readonly string[] {
  if (!text.includes('`')) return text.split(/\s+/);
  return text
    .split(/(`[^`]*`\S*)/)
    .flatMap((part, at) => (at % 2 === 1 && textWidth(part) <= room ? [part] : part.split(/(\s+)/)))
    .reduce<string[]>(joinTouching, ['']);
}

/** What no blank parts is one word: `(see `. */
function joinTouching(words: string[], part: string): string[] {
  if (part === '') return words;
  if (/^\s+$/.test(part)) words.push('');
  else words.push((words.pop() ?? '') + part);
  return words;
}

/**
 * A label and its value; further lines stand below the value. A value that does not fit beside the label, and cannot be
 * broken, gets a line of its own. The value must be safe to print.
 */
export function labelLines(label: string, value: string, width: number): string[] {
  if (textWidth(label) + textWidth(value) <= width) return [label + value];
  const lines = wrapText(value, { width, first: label });
  if (lines.every((line) => textWidth(line) <= width)) return lines;
  const indent = ' '.repeat(label.length - label.trimStart().length + SHORT_HANG);
  return [label.trimEnd(), ...wrapText(value, { width, first: indent })];
}

/**
 * What to run, as the user types it, beside its label where it fits and otherwise on a line of its own; never broken, so
 * that it can be copied.
 */
export function commandLines(
  label: string,
  command: string,
  { width, program }: { readonly width: number; readonly program: string },
): string[] {
  const room = Math.min(width, WIDEST_PROSE);
  const typed = calledAs(command, program);
  if (textWidth(label) + 1 + textWidth(typed) <= room) return [`${label} ${typed}`];
  return [...wrapText(label, { width }), `  ${typed}`];
}

function hanging(first: string, width: number): string {
  const own = textWidth(first);
  if (own <= width * WIDEST_HANG) return ' '.repeat(own);
  const indent = own - textWidth(first.trimStart());
  return ' '.repeat(Math.min(own, indent + SHORT_HANG));
}
