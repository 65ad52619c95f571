import { InternalError } from '../../errors/internal-error.ts';
import { scanJson } from './json-scanner.ts';

/** A stretch of a text; `end` is behind it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Elements of the array that begins at `start`; the text is known to be JSON. */
export function elementSpans(text: string, start: number): Span[] {
  const elements: Span[] = [];
  let at = skipBlanks(text, start + 1);
  while (text.charAt(at) !== ']') {
    const end = endOfValue(text, at);
    elements.push({ start: at, end });
    at = skipSeparator(text, end);
  }
  return elements;
}

/** Values of the object that begins at `start`, by name; of a repeated name the last, which is the one that counts. */
export function memberSpans(text: string, start: number): ReadonlyMap<string, Span> {
  const members = new Map<string, Span>();
  let at = skipBlanks(text, start + 1);
  while (text.charAt(at) !== '}') {
    const nameEnd = endOfValue(text, at);
    const name = JSON.parse(text.slice(at, nameEnd)) as string;
    // Behind the name stands a colon.
    const valueStart = skipBlanks(text, skipBlanks(text, nameEnd) + 1);
    const end = endOfValue(text, valueStart);
    members.set(name, { start: valueStart, end });
    at = skipSeparator(text, end);
  }
  return members;
}

/** End of the value that begins at `start`, blanks in front of it included. */
export function endOfValue(text: string, start: number): number {
  const scan = scanJson(text, start);
  if ('error' in scan)
    throw new InternalError(`no JSON value at ${String(start)} of a text that was parsed`);
  return scan.end;
}

/** First position at or behind `from` that is no blank. */
export function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at++;
  return at;
}

function skipSeparator(text: string, end: number): number {
  const at = skipBlanks(text, end);
  return text.charAt(at) === ',' ? skipBlanks(text, at + 1) : at;
}
