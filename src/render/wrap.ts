import { textWidth } from './text-width.ts';

/** Prose gets hard to read beyond this many columns, however wide the terminal is. */
const WIDEST_PROSE = 100;

/** How to wrap. */
export interface WrapOptions {
  /** Columns of the surface. */
  readonly width: number;
  /** Before the first line, such as a bullet; it counts as width. */
  readonly first?: string | undefined;
  /** Before every further line; blanks as wide as `first` when absent. */
  readonly rest?: string | undefined;
}

/** Breaks a text between words; a word that is longer than a line stays whole, so that it can be copied. */
export function wrapText(
  text: string,
  { width, first = '', rest = ' '.repeat(textWidth(first)) }: WrapOptions,
): string[] {
  const room = Math.min(width, WIDEST_PROSE);
  const lines: string[] = [];
  let line = first;
  let isFresh = true;
  for (const word of text.split(/\s+/)) {
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
