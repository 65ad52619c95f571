import type { JsonObject } from '../../ipam/model/resource.ts';
import { parseJson } from '../../support/json.ts';
import { CLOSE_BRACE, CLOSE_BRACKET, JsonScanner, OPEN_BRACKET } from './json-scanner.ts';
import { Scratch } from './scratch.ts';

/** Depth of the list object's own members, and of its items. */
const LIST_DEPTH = 1;
const ITEMS_DEPTH = 2;

/** How the text in front of an opening bracket ends when the bracket opens the items. */
const ITEMS_NAME = /[{,]\s*"items"\s*:\s*\[$/;
/** Bytes to look back for that name; servers write no more than a line break and spaces around it. */
const LOOK_BACK = 128;

/** How items of custom resources begin, all with the same types; a comma may stand in front. */
const TYPES = /^,?(\{"apiVersion":"[^"\\]{1,100}","kind":"[^"\\]{1,100}",)/;
/** Longer than any such beginning. */
const TYPES_BYTES = 256;

const SPACE = 0x20;
const COMMA = 0x2c;

const NOTHING = Buffer.alloc(0);

/** What a guess can be taken back by. */
interface Guess {
  readonly scanner: JsonScanner;
  readonly bytes: Buffer;
  readonly begin: number;
  readonly fresh: number;
}

/**
 * Cuts the JSON text of a Kubernetes list between its items, without ever holding the whole. Give it the body in pieces of
 * any size; each {@link push} answers the items that are complete by then.
 *
 * @remarks Typed lists put `metadata` before `items`, lists of custom resources after it, so both sides are kept: the
 * envelope, everything outside of the items, is parsed on its own. Where items begin with their types, the last such
 * beginning is taken for the end of the items before it, which saves following every bracket. That is a guess, since a text
 * or a nested object may look the same; but then the items before it do not parse, and are cut again bracket by bracket.
 */
export class ItemCutter {
  #scanner = new JsonScanner();
  #place: 'before' | 'items' | 'after' = 'before';
  #before: Buffer = NOTHING;
  #after: Buffer = NOTHING;
  /** Keeps the bytes behind the last complete item. */
  readonly #scratch = new Scratch();
  /** How many of those were scanned. */
  #scanned = 0;
  /** Comma and types in front of each item but the first; undefined while unknown, empty where items do not begin so. */
  #separator: Buffer | undefined;
  #guess: Guess | undefined;

  /**
   * Takes a part of the body; the answer parses the items that became complete. Call it before what comes next.
   * @throws SyntaxError when called, for an item that is no JSON object.
   */
  push(pieces: readonly Buffer[]): () => JsonObject[] {
    const text = this.#cut(pieces);
    return () => {
      try {
        return parseItems(text);
      } catch (error) {
        if (this.#guess === undefined) throw error;
        return parseItems(this.#recut(this.#guess));
      }
    };
  }

  /** Text of the items that became complete, as a list; it may be empty. */
  #cut(pieces: readonly Buffer[]): string {
    const scanned = this.#scanned;
    this.#scanned = 0;
    this.#guess = undefined;
    const bytes = this.#scratch.append(pieces);
    this.#scratch.keepFrom(bytes.length);
    const begin = this.#place === 'before' ? this.#pushBefore(bytes) : 0;
    if (this.#place === 'items') return this.#pushItems(bytes, begin, Math.max(begin, scanned));
    this.#pushAfter(bytes.subarray(begin));
    return '';
  }

  /** The list object as far as it stands before its items; undefined while they have not begun. */
  get head(): JsonObject | undefined {
    return this.#place === 'before' ? undefined : objectOf(`${this.#before.toString('utf8')}]}`);
  }

  /**
   * The list object without its items, to be asked for at the end of the body.
   * @throws SyntaxError when the text does not end well: it was cut.
   */
  end(): JsonObject {
    if (this.#scanner.depth !== 0) throw new SyntaxError('the JSON text of the list is cut off');
    return objectOf(Buffer.concat([this.#before, this.#after]).toString('utf8'));
  }

  /** Takes what stands before the items; answers the position behind the bracket that opens them. */
  #pushBefore(bytes: Buffer): number {
    let position = 0;
    while (position < bytes.length && this.#place === 'before') {
      const { end, stopped } = this.#scanner.scan(bytes, position, {
        floor: 0,
        arrayAt: LIST_DEPTH,
      });
      this.#before = Buffer.concat([this.#before, bytes.subarray(position, end)]);
      if (
        stopped &&
        ITEMS_NAME.test(this.#before.toString('latin1', this.#before.length - LOOK_BACK))
      ) {
        this.#place = 'items';
      }
      position = end;
    }
    return position;
  }

  /** The list without a guess; there is none from then on. */
  #recut({ scanner, bytes, begin, fresh }: Guess): string {
    this.#separator = NOTHING;
    this.#scanner = scanner;
    this.#place = 'items';
    this.#after = NOTHING;
    this.#scratch.keepFrom(bytes.length);
    return this.#pushItems(bytes, begin, fresh);
  }

  /** @param begin Where the items stand; @param fresh what has not been scanned yet. */
  #pushItems(bytes: Buffer, begin: number, fresh: number): string {
    const cut = this.#guessCut(bytes, begin, fresh);
    if (cut !== undefined && !mayEndList(bytes)) {
      this.#scratch.keepFrom(cut);
      return listText(bytes, begin, cut);
    }
    const {
      end,
      stopped,
      backAtFloor = cut ?? begin,
    } = this.#scanner.scan(bytes, cut ?? fresh, { floor: ITEMS_DEPTH });
    const text = listText(bytes, begin, backAtFloor);
    if (stopped) {
      this.#place = 'after';
      // The closing bracket belongs to the envelope.
      this.#pushAfter(bytes.subarray(end - 1), 1);
    } else {
      this.#scratch.keepFrom(backAtFloor);
      this.#scanned = bytes.length - backAtFloor;
    }
    return text;
  }

  /** Position of the last separator that is not behind what was scanned already; the scanner goes on from there. */
  #guessCut(bytes: Buffer, begin: number, fresh: number): number | undefined {
    this.#separator ??= separatorAt(bytes, begin);
    if (this.#separator === undefined || this.#separator.length === 0) return undefined;
    // What was looked through already is not again, however long an item is.
    const from = Math.max(begin, fresh - this.#separator.length) + 1;
    const at = bytes.subarray(from).lastIndexOf(this.#separator);
    if (at < 0) return undefined;
    this.#guess = { scanner: this.#scanner, bytes, begin, fresh };
    this.#scanner = new JsonScanner(ITEMS_DEPTH);
    return from + at;
  }

  #pushAfter(bytes: Buffer, scanned = 0): void {
    this.#scanner.scan(bytes, scanned, { floor: Number.NEGATIVE_INFINITY });
    this.#after = Buffer.concat([this.#after, bytes]);
  }
}

/** Whether the last byte is one that a list ends with; what stands behind a guess need not be followed before. */
function mayEndList(bytes: Buffer): boolean {
  const last = bytes.at(-1) ?? SPACE;
  return last === CLOSE_BRACE || last <= SPACE;
}

/**
 * What stands in front of each item that follows another one; empty where items do not begin with their types, undefined
 * where too little of the first one is there.
 */
function separatorAt(bytes: Buffer, begin: number): Buffer | undefined {
  const types = TYPES.exec(bytes.toString('latin1', begin, begin + TYPES_BYTES))?.[1];
  if (types !== undefined) return Buffer.from(`,${types}`, 'latin1');
  return bytes.length - begin < TYPES_BYTES ? undefined : NOTHING;
}

/**
 * The items as the text of a list; it may be empty. The brackets take the places of the comma in front and of what follows for
 * the moment, since to put them around the text would cost a copy of it.
 * @param begin Behind the bracket that opens the items, or behind an item.
 * @param end Behind an item.
 */
function listText(bytes: Buffer, begin: number, end: number): string {
  if (begin === end) return '';
  const first = bytes[begin];
  const behind = bytes[end];
  if (first !== COMMA || behind === undefined) {
    return `[${bytes.toString('utf8', begin, end).replace(/^[\s,]+/, '')}]`;
  }
  bytes[begin] = OPEN_BRACKET;
  bytes[end] = CLOSE_BRACKET;
  const text = bytes.toString('utf8', begin, end + 1);
  bytes[begin] = first;
  bytes[end] = behind;
  return text;
}

/** @throws SyntaxError when an item is no JSON object. */
function parseItems(list: string): JsonObject[] {
  if (list === '') return [];
  const items = parseJson(list);
  if (
    Array.isArray(items) &&
    items.every((item) => typeof item === 'object' && item !== null && !Array.isArray(item))
  ) {
    return items as JsonObject[];
  }
  throw new SyntaxError('an item of the list is no JSON object');
}

function objectOf(text: string): JsonObject {
  const value = parseJson(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new SyntaxError('the list is no JSON object');
}
