import { assertNever } from '../../support/assert-never.ts';
import { type Selector, parseSelector } from './parse.ts';

/** Labels of a node or namespace. */
export type Labels = Readonly<Record<string, string>>;

/**
 * Whether labels satisfy a parsed selector. Texts compare with their case; a missing label satisfies negations only.
 * Source: Calico libcalico-go lib/selector/parser.
 */
export function matchesSelector(selector: Selector, labels: Labels): boolean {
  switch (selector.op) {
    case 'all':
      return true;
    case 'not':
      return !matchesSelector(selector.term, labels);
    case 'and':
      return selector.terms.every((term) => matchesSelector(term, labels));
    case 'or':
      return selector.terms.some((term) => matchesSelector(term, labels));
    default:
      return (
        Object.hasOwn(labels, selector.label) && comparesTo(selector, labels[selector.label] ?? '')
      );
  }
}

type LabelTerm = Extract<Selector, { readonly label: string }>;

function comparesTo(term: LabelTerm, text: string): boolean {
  switch (term.op) {
    case 'has':
      return true;
    case 'equals':
      return text === term.value;
    case 'contains':
      return text.includes(term.value);
    case 'startsWith':
      return text.startsWith(term.value);
    case 'endsWith':
      return text.endsWith(term.value);
    case 'in':
      return term.values.includes(text);
    default:
      return assertNever(term);
  }
}

/** Whether labels satisfy a selector text; undefined when the text is no selector. */
export function selects(text: string, labels: Labels): boolean | undefined {
  const selector = parseSelector(text);
  return 'problem' in selector ? undefined : matchesSelector(selector, labels);
}
