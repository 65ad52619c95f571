/** A YAML list cut between its items, so that it can be parsed piece by piece. */
export interface CutList {
  /** The list without its items. */
  readonly head: string;
  /** Several items each, as a sequence of their own. */
  readonly pieces: readonly string[];
  /** Line of each item, from 1 at the begin of the text. */
  readonly itemLines: readonly number[];
}

/** Characters in a piece: large enough to make calls cheap, small enough that what the parser keeps of it stays young. */
const PIECE_LENGTH = 128 * 1024;

const ITEMS_LINE = /^items:[ \t]*\r?\n(?=( *)- )/m;
const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;
const HASH = 35;
const DASH = 45;

/**
 * Cuts a list in block layout, as kubectl and most other tools write it; undefined for any other text. Lines are told apart
 * by their indentation alone: where that is not enough (an alias to another piece, a quoted text that breaks the layout), the
 * pieces or the head do not parse, and the text has to be parsed as a whole.
 */
export function cutList(text: string): CutList | undefined {
  const found = ITEMS_LINE.exec(text);
  if (found === null || text.startsWith('%')) return undefined;
  const indent = found[1]?.length ?? 0;
  const start = found.index + found[0].length;
  const cutter = new ListCutter(text, { start, indent });
  const end = cutter.run();
  const head = `${text.slice(0, found.index)}items: []\n${text.slice(end)}`;
  return { head, pieces: cutter.pieces, itemLines: cutter.lines(found.index) };
}

class ListCutter {
  readonly pieces: string[] = [];
  readonly #text: string;
  readonly #indent: number;
  /** Lines of the items, counted from the first item. */
  readonly #itemLines: number[] = [];
  #pieceStart: number;

  constructor(text: string, { start, indent }: { start: number; indent: number }) {
    this.#text = text;
    this.#indent = indent;
    this.#pieceStart = start;
  }

  /** Walks over the lines of the items. @returns where they end. */
  run(): number {
    let line = 0;
    let at = this.#pieceStart;
    while (at < this.#text.length) {
      const kind = this.#kindOf(at);
      if (kind === 'end') break;
      if (kind === 'item') this.#beginItem(at, line);
      const newline = this.#text.indexOf('\n', at);
      at = newline < 0 ? this.#text.length : newline + 1;
      line++;
    }
    this.pieces.push(this.#text.slice(this.#pieceStart, at));
    return at;
  }

  /** Lines of the items in the whole text, given the position of the line in front of the first one. */
  lines(position: number): number[] {
    let first = 2;
    for (
      let at = this.#text.indexOf('\n');
      at >= 0 && at < position;
      at = this.#text.indexOf('\n', at + 1)
    )
      first++;
    return this.#itemLines.map((line) => line + first);
  }

  #beginItem(at: number, line: number): void {
    this.#itemLines.push(line);
    if (at - this.#pieceStart < PIECE_LENGTH) return;
    this.pieces.push(this.#text.slice(this.#pieceStart, at));
    this.#pieceStart = at;
  }

  #kindOf(start: number): 'item' | 'inside' | 'end' {
    let at = start;
    const limit = start + this.#indent;
    while (at <= limit && this.#text.charCodeAt(at) === SPACE) at++;
    if (at > limit) return 'inside';
    const first = this.#text.charCodeAt(at);
    if (first === NEWLINE || first === RETURN || first === HASH) return 'inside';
    return at === limit && first === DASH && this.#isBlank(at + 1) ? 'item' : 'end';
  }

  #isBlank(at: number): boolean {
    const code = this.#text.charCodeAt(at);
    return code === SPACE || code === NEWLINE || code === RETURN;
  }
}
