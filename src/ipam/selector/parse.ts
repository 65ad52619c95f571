import {
  type Mark,
  type Operator,
  type SelectorProblem,
  type Token,
  tokenizeSelector,
} from './tokenize.ts';

/** A parsed selector. `!=` and `not in` are negations, so that a missing label satisfies them. */
export type Selector =
  | { readonly op: 'all' }
  | { readonly op: 'has'; readonly label: string }
  | { readonly op: TextOperator; readonly label: string; readonly value: string }
  | { readonly op: 'in'; readonly label: string; readonly values: readonly string[] }
  | { readonly op: 'not'; readonly term: Selector }
  | { readonly op: 'and' | 'or'; readonly terms: readonly Selector[] };

/** Comparisons of a label with one text. */
export type TextOperator = 'equals' | 'contains' | 'startsWith' | 'endsWith';

const TEXT_OPERATORS: Partial<Record<Operator, TextOperator>> = {
  '==': 'equals',
  '!=': 'equals',
  contains: 'contains',
  startswith: 'startsWith',
  endswith: 'endsWith',
};

/** Parentheses nested deeper than this are refused, so that no text can exhaust the stack. */
const MAX_DEPTH = 500;

/**
 * Parses a node or namespace selector; an empty text selects everything. A wrong text gives the first problem.
 * Source: Calico libcalico-go lib/selector/parser.
 */
export function parseSelector(text: string): Selector | SelectorProblem {
  const tokens = tokenizeSelector(text);
  if ('problem' in tokens) return tokens;
  if (tokens.length === 0) return { op: 'all' };
  try {
    return new Parser(tokens).parse();
  } catch (error) {
    if (error instanceof Unexpected) return { problem: error.message };
    throw error;
  }
}

/** Unwinds the descent at the first problem; never leaves this file. */
class Unexpected extends Error {}

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): Selector {
    const selector = this.#or();
    if (this.#peek()) this.#fail('the end, `&&` or `||`');
    return selector;
  }

  #or(): Selector {
    return this.#list('or', '||', () => this.#and());
  }

  #and(): Selector {
    return this.#list('and', '&&', () => this.#term());
  }

  #list(op: 'and' | 'or', mark: Mark, part: () => Selector): Selector {
    const first = part();
    const terms = [first];
    while (this.#takeMark(mark)) terms.push(part());
    return terms.length === 1 ? first : { op, terms };
  }

  #term(): Selector {
    let isNegated = false;
    while (this.#takeMark('!')) isNegated = !isNegated;
    const term = this.#operand();
    return isNegated ? { op: 'not', term } : term;
  }

  #operand(): Selector {
    const token = this.#peek();
    if (token?.kind === 'has') return this.#taken({ op: 'has', label: token.text });
    if (token?.kind === 'everything') return this.#taken({ op: 'all' });
    if (token?.kind === 'label') return this.#taken(this.#comparison(token.text));
    if (this.#takeMark('(')) return this.#group();
    return this.#fail('a label, `has(label)`, `all()` or `(`');
  }

  #group(): Selector {
    if (++this.#depth > MAX_DEPTH) this.#fail('fewer parentheses');
    const inner = this.#or();
    if (!this.#takeMark(')')) this.#fail('`)`');
    this.#depth--;
    return inner;
  }

  /** The comparison whose label is the present token; leaves its last token for {@link #taken}. */
  #comparison(label: string): Selector {
    this.#next++;
    const operator = this.#peek();
    if (operator?.kind !== 'operator') return this.#fail(`an operator after the label ${label}`);
    this.#next++;
    const isNegated = operator.text === '!=' || operator.text === 'notin';
    const textOperator = TEXT_OPERATORS[operator.text];
    const term: Selector = textOperator
      ? { op: textOperator, label, value: this.#string() }
      : { op: 'in', label, values: this.#set() };
    return isNegated ? { op: 'not', term } : term;
  }

  #string(): string {
    const token = this.#peek();
    return token?.kind === 'string' ? token.text : this.#fail('a text in quotes');
  }

  #set(): string[] {
    if (!this.#takeMark('{')) this.#fail('`{`');
    const values: string[] = [];
    while (this.#peek()?.kind === 'string') {
      values.push(this.#string());
      this.#next++;
      if (!this.#takeMark(',')) break;
    }
    const last = this.#peek();
    if (last?.kind !== 'mark' || last.text !== '}') this.#fail('a text in quotes or `}`');
    return values;
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#next];
  }

  #taken(selector: Selector): Selector {
    this.#next++;
    return selector;
  }

  #takeMark(mark: Mark): boolean {
    const token = this.#peek();
    if (token?.kind !== 'mark' || token.text !== mark) return false;
    this.#next++;
    return true;
  }

  #fail(expected: string): never {
    const token = this.#peek();
    const place = token ? `at position ${token.at + 1}` : 'at the end';
    throw new Unexpected(`${place} ${expected} is expected`);
  }
}
