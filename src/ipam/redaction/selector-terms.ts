import type { Labels } from '../selector/evaluate.ts';
import { matchesSelector } from '../selector/evaluate.ts';
import { type Selector, parseSelector } from '../selector/parse.ts';
import type { Pseudonyms } from './pseudonyms.ts';

/** A text that is no selector, as little as the one in whose place it stands. */
const NO_SELECTOR = 'no selector';

/** A comparison with one label. */
type Term = Extract<Selector, { readonly label: string }>;

/**
 * Replaces labels, which hold whatever people write into them: each comparison that a selector makes becomes a label of
 * its own, and a node gets those that hold for it. Selectors so choose the nodes that they chose before.
 */
export class SelectorTerms {
  readonly #names: Pseudonyms;
  readonly #terms = new Map<string, Term>();

  /** @param selectors Of all pools. */
  constructor(names: Pseudonyms, selectors: Iterable<string>) {
    this.#names = names;
    for (const text of selectors) {
      const selector = parseSelector(text);
      if (!('problem' in selector)) this.#gather(selector);
    }
  }

  /** The selector over the labels of {@link labels}. */
  selector(text: string): string {
    if (text.trim() === '') return text;
    const selector = parseSelector(text);
    return 'problem' in selector ? NO_SELECTOR : this.#print(selector);
  }

  /** The labels of a node in place of its own. */
  labels(labels: Labels): Labels {
    const held = [...this.#terms].filter(([, term]) => matchesSelector(term, labels));
    return Object.fromEntries(held.map(([name]) => [name, 'true']));
  }

  #gather(selector: Selector): void {
    if (selector.op === 'all') return;
    if (selector.op === 'not') this.#gather(selector.term);
    else if ('terms' in selector) for (const term of selector.terms) this.#gather(term);
    else this.#terms.set(this.#nameOf(selector), selector);
  }

  #print(selector: Selector): string {
    if (selector.op === 'all') return 'all()';
    if (selector.op === 'not') return `!${this.#print(selector.term)}`;
    if (!('terms' in selector)) return `has(${this.#nameOf(selector)})`;
    const mark = selector.op === 'and' ? ' && ' : ' || ';
    return `(${selector.terms.map((term) => this.#print(term)).join(mark)})`;
  }

  #nameOf(term: Term): string {
    return this.#names.word('term', JSON.stringify(term));
  }
}
