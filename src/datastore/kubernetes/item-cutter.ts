import type { JsonObject } from '../../ipam/model/resource.ts';
import { parseJson } from '../../support/json.ts';
import { JsonScanner } from './json-scanner.ts';
import { Scratch } from './scratch.ts';

/** Depth of the list object's own members, and of its items. */
const LIST_DEPTH = 1;
const ITEMS_DEPTH = 2;

/** How the text in front of an opening bracket ends when the bracket opens the items. */
const ITEMS_NAME = /[{,]\s*"items"\s*:\s*\[$/;
/** Bytes to look back for that name; servers write no more than a line break and spaces around it. */
const LOOK_BACK = 128;

const NOTHING = Buffer.alloc(0);

/**
 * Cuts the JSON text of a Kubernetes list between its items, without ever holding the whole. Give it the body in pieces of
 * any size; each {@link push} answers the text of the items that are complete by then.
 *
 * @remarks Typed lists put `metadata` before `items`, lists of custom resources after it, so both sides are kept: the
 * envelope, everything outside of the items, is parsed on its own.
 */
export class ItemCutter {
  readonly #scanner = new JsonScanner();
  #place: 'before' | 'items' | 'after' = 'before';
  #before: Buffer = NOTHING;
  #after: Buffer = NOTHING;
  /** Keeps the bytes behind the last complete item. */
  readonly #scratch = new Scratch();

  /** Text of the items that became complete, for {@link parseItems}; it may be empty. */
  push(pieces: readonly Buffer[]): string {
    const { kept } = this.#scratch;
    const bytes = this.#scratch.append(pieces);
    this.#scratch.keepFrom(bytes.length);
    const begin = this.#place === 'before' ? this.#pushBefore(bytes) : 0;
    if (this.#place === 'items') return this.#pushItems(bytes, begin, Math.max(begin, kept));
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

  /** @param begin Where the items stand; @param fresh what has not been scanned yet. */
  #pushItems(bytes: Buffer, begin: number, fresh: number): string {
    const {
      end,
      stopped,
      backAtFloor = begin,
    } = this.#scanner.scan(bytes, fresh, { floor: ITEMS_DEPTH });
    const text = bytes.toString('utf8', begin, backAtFloor);
    if (stopped) {
      this.#place = 'after';
      // The closing bracket belongs to the envelope.
      this.#pushAfter(bytes.subarray(end - 1), 1);
    } else this.#scratch.keepFrom(backAtFloor);
    return text;
  }

  #pushAfter(bytes: Buffer, scanned = 0): void {
    this.#scanner.scan(bytes, scanned, { floor: Number.NEGATIVE_INFINITY });
    this.#after = Buffer.concat([this.#after, bytes]);
  }
}

/** The items of a text that {@link ItemCutter.push} answered. @throws SyntaxError when one is no JSON object. */
export function parseItems(text: string): JsonObject[] {
  // It ends behind an item, and begins behind the one before.
  const list = text.replace(/^[\s,]+/, '');
  if (list === '') return [];
  const items = parseJson(`[${list}]`);
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
