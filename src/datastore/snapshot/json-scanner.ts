/** How a JSON document ended: at `end`, or with an error at `error`, which is the text's length when it is not complete. */
export type JsonScan = { readonly end: number } | { readonly error: number };

type State = 'value' | 'valueOrClose' | 'nameOrClose' | 'name' | 'colon' | 'commaOrClose' | 'done';

/** Numbers and words; sticky, so that it is tried at one position only. */
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|(?:true|false|null)(?!\w)/y;
const SPACE = /[ \t\r\n]+/y;
const ESCAPE = /["\\/bfnrt]|u[0-9a-fA-F]{4}/y;
/** First character of a string that needs a look: its end, an escape, or one that must be escaped. */
// eslint-disable-next-line no-control-regex -- control characters are what it looks for
const STRING_STOP = /["\\\u0000-\u001f]/g;

/**
 * Finds where the JSON document that begins at `start` ends or goes wrong. The engine's own parser tells neither where a
 * document ends when another one follows, nor (for some errors) where it stopped.
 *
 * @remarks Keeps its own stack: the nesting of a damaged file may be deeper than calls may be.
 */
export function scanJson(text: string, start: number): JsonScan {
  const scanner = new Scanner(text, start);
  while (scanner.state !== 'done') {
    if (!scanner.step()) return { error: Math.min(scanner.at, text.length) };
  }
  return { end: scanner.at };
}

class Scanner {
  state: State = 'value';
  at: number;
  readonly #text: string;
  /** Closing character of each open collection, innermost last. */
  readonly #open: ('}' | ']')[] = [];

  constructor(text: string, start: number) {
    this.#text = text;
    this.at = start;
  }

  /** Takes one token. @returns false when there is none that may stand here. */
  step(): boolean {
    this.at = this.#matchEnd(SPACE) ?? this.at;
    const next = this.#text.charAt(this.at);
    switch (this.state) {
      case 'nameOrClose':
        return next === '}' ? this.#close() : this.#name();
      case 'name':
        return this.#name();
      case 'colon':
        return next === ':' && this.#skipTo('value');
      case 'commaOrClose':
        return this.#commaOrClose(next);
      case 'valueOrClose':
        return next === ']' ? this.#close() : this.#value(next);
      default:
        return this.#value(next);
    }
  }

  #commaOrClose(next: string): boolean {
    const close = this.#open.at(-1);
    if (next === ',') return this.#skipTo(close === '}' ? 'name' : 'value');
    return next === close && this.#close();
  }

  #value(next: string): boolean {
    if (next === '{' || next === '[') {
      this.#open.push(next === '{' ? '}' : ']');
      return this.#skipTo(next === '{' ? 'nameOrClose' : 'valueOrClose');
    }
    const isTaken = next === '"' ? this.#string() : this.#scalar();
    if (isTaken) this.#afterValue();
    return isTaken;
  }

  #name(): boolean {
    if (this.#text.charAt(this.at) !== '"' || !this.#string()) return false;
    this.state = 'colon';
    return true;
  }

  #scalar(): boolean {
    const end = this.#matchEnd(SCALAR);
    this.at = end ?? this.at;
    return end !== undefined;
  }

  #string(): boolean {
    let from = this.at + 1;
    for (;;) {
      STRING_STOP.lastIndex = from;
      const stop = STRING_STOP.exec(this.#text);
      this.at = stop?.index ?? this.#text.length;
      if (stop?.[0] === '"') {
        this.at++;
        return true;
      }
      if (stop?.[0] !== '\\') return false;
      this.at++;
      const end = this.#matchEnd(ESCAPE);
      if (end === undefined) return false;
      from = end;
    }
  }

  #close(): boolean {
    this.#open.pop();
    this.at++;
    this.#afterValue();
    return true;
  }

  #skipTo(state: State): boolean {
    this.at++;
    this.state = state;
    return true;
  }

  #afterValue(): void {
    this.state = this.#open.length === 0 ? 'done' : 'commaOrClose';
  }

  #matchEnd(pattern: RegExp): number | undefined {
    pattern.lastIndex = this.at;
    return pattern.test(this.#text) ? pattern.lastIndex : undefined;
  }
}
