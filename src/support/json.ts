import { restoreMarks } from './json-marks.ts';

/** A JSON object as {@link parseJson} gives it: every member is an own property, `__proto__` included. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/** Any JSON value; integers beyond 2^53 - 1 are bigint. */
export type JsonValue = string | number | bigint | boolean | null | JsonValue[] | JsonObject;

/** Digits of 2^53 - 1, the last integer that a number holds without doubt. */
const SAFE_DIGITS = 16;
/** Characters that the mark adds to an integer: itself and the quotes. */
const MARK_LENGTH = 3;
const MINUS = 45;
const ZERO = 48;
const BACKSLASH = 92;

/**
 * As many digits as an unsafe integer has, behind what may stand before a value. To search for them takes a tenth of the
 * time of JSON.parse; code that looks at characters takes as long as that.
 */
const LONG_INTEGER = /[:,[ \t\n\r]-?\d{16,}/g;
/** Of a text that is nothing but an integer. */
const WHOLE_INTEGER = /^-?\d{16,}/;
/**
 * An unsafe integer that surely is the value of a member: the quote in front of the colon ends a string, since what stands
 * before it is nothing that a string may follow.
 */
const MEMBER = /([^\\,{[: \t\n\r]": ?)(-?[1-9]\d{16,})(?![\d.eE])/g;

/**
 * Parses JSON without losing an integer: what a number cannot hold exactly becomes a bigint, everything else is as with
 * `JSON.parse`. Fractions and exponents stay numbers, however long.
 *
 * @remarks Sequence numbers of IPAM blocks are 64-bit integers, and a rounded one must never reach a comparison or a
 * write. A reviver would see every value of a large list; here only texts with a run of 16 digits cost more than
 * `JSON.parse`: long integers are replaced by marked strings, which are put right after the parse.
 * @throws SyntaxError when the text is no JSON; the message and position are those of `JSON.parse`.
 */
export function parseJson(text: string): JsonValue {
  if (!mayHoldLong(text)) return JSON.parse(text) as JsonValue;
  const mark = unusedCharacter(text);
  const members = text.replace(MEMBER, `$1"${mark}$2"`);
  const marked = mayHoldLong(members) ? markSpans(members, unsafeIntegers(members), mark) : members;
  const value = parseMarked(marked, text);
  return restoreMarks(value, mark, (marked.length - text.length) / MARK_LENGTH);
}

function mayHoldLong(text: string): boolean {
  LONG_INTEGER.lastIndex = 0;
  return LONG_INTEGER.test(text) || WHOLE_INTEGER.test(text);
}

/** A stretch of the text that is one integer token, sign included. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Integer tokens that no number holds exactly, in order of the text. */
function unsafeIntegers(text: string): Span[] {
  const whole = WHOLE_INTEGER.exec(text)?.[0].length;
  const spans = [whole === undefined ? undefined : integerToken(text, { start: 0, end: whole })];
  let outside = 0;
  LONG_INTEGER.lastIndex = 0;
  for (let found = LONG_INTEGER.exec(text); found; found = LONG_INTEGER.exec(text)) {
    const run = { start: found.index + 1, end: LONG_INTEGER.lastIndex };
    outside = skipStrings(text, outside, run.start);
    // Else the run stands inside a string, and so does everything up to its end.
    if (outside <= run.start) spans.push(integerToken(text, run));
    outside = LONG_INTEGER.lastIndex = Math.max(outside, run.end);
  }
  return spans.filter((span) => span !== undefined);
}

/**
 * First position at or after `until` that lies outside of strings, given one that does; `text.length` when a string does
 * not end, which is no JSON.
 */
function skipStrings(text: string, outside: number, until: number): number {
  let position = outside;
  while (position < until) {
    const open = text.indexOf('"', position);
    if (open < 0 || open >= until) return until;
    position = endOfString(text, open);
  }
  return position;
}

/** Position behind the closing quote of the string that opens at `open`. */
function endOfString(text: string, open: number): number {
  for (let close = text.indexOf('"', open + 1); close >= 0; close = text.indexOf('"', close + 1)) {
    let before = close - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    // An even number of backslashes escape each other, and the quote ends the string.
    if ((close - 1 - before) % 2 === 0) return close + 1;
  }
  return text.length;
}

/**
 * The token if it is an integer that no number holds. Undefined for the beginning of a fraction or of an exponent, for a
 * safe integer, and for what is no JSON anyway (a leading zero, a member name): those are left for `JSON.parse` to read or
 * refuse.
 */
function integerToken(text: string, token: Span): Span | undefined {
  const { start, end } = token;
  const digits = text.charCodeAt(start) === MINUS ? start + 1 : start;
  if (text.charCodeAt(digits) === ZERO || /[.eE]/.test(text.charAt(end)) || isMemberName(text, end))
    return undefined;
  const isShort = end - digits === SAFE_DIGITS;
  return isShort && Number.isSafeInteger(Number(text.slice(start, end))) ? undefined : token;
}

/** Whether a colon follows: a quoted number would pass as the member name that a bare one is not. */
function isMemberName(text: string, end: number): boolean {
  let next = end;
  while (' \t\n\r'.includes(text.charAt(next)) && next < text.length) next++;
  return text.charAt(next) === ':';
}

/**
 * A character that no string of the text holds, written out or escaped. Only codes without hexadecimal letters are
 * tried, because those have one escape; the first ones keep a one-byte text one, which parses twice as fast.
 */
function unusedCharacter(text: string): string {
  for (let code = 0x80; code <= 0x9999; code++) {
    const hex = code.toString(16).padStart(4, '0');
    if (/[a-f]/.test(hex)) continue;
    const character = String.fromCharCode(code);
    if (!text.includes(character) && !text.includes(`\\u${hex}`)) return character;
  }
  throw new SyntaxError('JSON text uses every character that could mark an integer');
}

/** The text with each span put in quotes behind the mark. */
function markSpans(text: string, spans: readonly Span[], mark: string): string {
  if (spans.length === 0) return text;
  const parts: string[] = [];
  let done = 0;
  for (const { start, end } of spans) {
    parts.push(text.slice(done, start), '"', mark, text.slice(start, end), '"');
    done = end;
  }
  parts.push(text.slice(done));
  return parts.join('');
}

function parseMarked(marked: string, original: string): JsonValue {
  try {
    return JSON.parse(marked) as JsonValue;
  } catch {
    // Quoting a value neither mends nor breaks a text; the original makes the message with the right position.
    return JSON.parse(original) as JsonValue;
  }
}

/** What the compiler's library does not know yet: a token that is printed as it stands. */
interface RawJson {
  readonly rawJSON: (text: string) => object;
}

/**
 * Prints JSON with bigints as bare integers, members in insertion order, `undefined` members left out.
 *
 * @param indent Spaces per level; absent for one line.
 * @throws TypeError for a value that JSON does not know, such as `undefined` itself, and for a cycle.
 */
export function stringifyJson(value: unknown, indent?: number): string {
  const text = textOf(value, indent);
  if (text === undefined) throw new TypeError(`${typeof value} has no JSON text`);
  return text;
}

function textOf(value: unknown, indent: number | undefined): string | undefined {
  try {
    // Most values hold no bigint; to ask for each member is several times as slow.
    return JSON.stringify(value, undefined, indent);
  } catch {
    // It was a bigint, or a cycle, which fails here too.
    return JSON.stringify(value, bareInteger, indent);
  }
}

function bareInteger(_key: string, value: unknown): unknown {
  if (typeof value !== 'bigint') return value;
  return (JSON as unknown as RawJson).rawJSON(value.toString());
}
