/** A word of the selector language. `at` is the position of its first character. */
export type Token =
  | { readonly kind: 'mark'; readonly text: Mark; readonly at: number }
  | { readonly kind: 'label'; readonly text: string; readonly at: number }
  | { readonly kind: 'operator'; readonly text: Operator; readonly at: number }
  | { readonly kind: 'string'; readonly text: string; readonly at: number }
  | { readonly kind: 'has'; readonly text: string; readonly at: number }
  | { readonly kind: 'everything'; readonly text: string; readonly at: number };

/** Marks that stand for themselves. */
export type Mark = '||' | '&&' | '!' | '(' | ')' | '{' | '}' | ',';

/** What may stand after a label, blanks inside removed. */
export type Operator = '==' | '!=' | 'contains' | 'startswith' | 'endswith' | 'in' | 'notin';

/** Where a selector text stops making sense, as a sentence part. */
export interface SelectorProblem {
  readonly problem: string;
}

// Sticky patterns: each is tried at one position only. Blanks are spaces and tabs; a line break is an error.
const BLANKS = /[ \t]*/y;
const OPERATOR =
  /==|!=|(?:contains|starts[ \t]*with|ends[ \t]*with|not[ \t]*in|in)(?![A-Za-z0-9_./-])/y;
const HAS = /has\([ \t]*([A-Za-z0-9_./-]{1,512})[ \t]*\)/y;
const EVERYTHING = /(?:all|global)\([ \t]*\)/y;
const LABEL = /[A-Za-z0-9_./-]{1,512}/y;
const STRING = /"([^"]*)"|'([^']*)'/y;
const MARK = /\|\||&&|[!(){},]/y;

/**
 * Cuts a selector into tokens. An operator is one only right after a label, so that a label may itself be called `in`
 * or `contains`.
 * Source: Calico libcalico-go lib/selector/tokenizer.
 */
export function tokenizeSelector(text: string): readonly Token[] | SelectorProblem {
  const tokens: Token[] = [];
  let at = matchAt(BLANKS, text, 0)?.[0].length ?? 0;
  while (at < text.length) {
    const next = nextToken(text, at, tokens.at(-1)?.kind === 'label');
    if (!next) return { problem: `nothing known stands at position ${at + 1}` };
    tokens.push(next.token);
    at += next.length;
    at += matchAt(BLANKS, text, at)?.[0].length ?? 0;
  }
  return tokens;
}

interface Cut {
  readonly token: Token;
  readonly length: number;
}

function nextToken(text: string, at: number, afterLabel: boolean): Cut | undefined {
  if (afterLabel) {
    const operator = matchAt(OPERATOR, text, at);
    // Without an operator the label is wrong, which the parser says better than a stray character would.
    if (operator) {
      const word = operator[0].replaceAll(/[ \t]/g, '') as Operator;
      return { token: { kind: 'operator', text: word, at }, length: operator[0].length };
    }
  }
  return callOrLabel(text, at) ?? stringOrMark(text, at);
}

function callOrLabel(text: string, at: number): Cut | undefined {
  const has = matchAt(HAS, text, at);
  if (has) return { token: { kind: 'has', text: has[1] ?? '', at }, length: has[0].length };
  const everything = matchAt(EVERYTHING, text, at);
  if (everything) {
    return { token: { kind: 'everything', text: everything[0], at }, length: everything[0].length };
  }
  const label = matchAt(LABEL, text, at);
  return label && { token: { kind: 'label', text: label[0], at }, length: label[0].length };
}

function stringOrMark(text: string, at: number): Cut | undefined {
  const string = matchAt(STRING, text, at);
  if (string) {
    const value = string[1] ?? string[2] ?? '';
    return { token: { kind: 'string', text: value, at }, length: string[0].length };
  }
  const mark = matchAt(MARK, text, at);
  return mark && { token: { kind: 'mark', text: mark[0] as Mark, at }, length: mark[0].length };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}
