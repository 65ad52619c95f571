import { expect } from 'chai';
import fc from 'fast-check';
import { matchesSelector, selects } from '../../src/ipam/selector/evaluate.ts';
import { type Selector, parseSelector } from '../../src/ipam/selector/parse.ts';

const label = fc.constantFrom('a', 'b', 'in', 'has', 'x.io/y');
const value = fc.constantFrom('', 'x', 'xy', 'in', 'zone a');

const { selector } = fc.letrec<{ selector: Selector; group: Selector }>((tie) => ({
  selector: fc.oneof(
    { depthSize: 'small' },
    fc.constant<Selector>({ op: 'all' }),
    fc.record({ op: fc.constant('has' as const), label }),
    fc.record({
      op: fc.constantFrom(
        'equals' as const,
        'contains' as const,
        'startsWith' as const,
        'endsWith' as const,
      ),
      label,
      value,
    }),
    fc.record({ op: fc.constant('in' as const), label, values: fc.array(value, { maxLength: 3 }) }),
    fc.record({ op: fc.constant('not' as const), term: tie('selector') }),
    tie('group'),
  ),
  group: fc.record({
    op: fc.constantFrom('and' as const, 'or' as const),
    terms: fc.array(tie('selector'), { minLength: 2, maxLength: 3 }),
  }),
}));

const OPERATORS = {
  equals: '==',
  contains: 'contains',
  startsWith: 'starts with',
  endsWith: 'ends with',
};

function print(term: Selector): string {
  switch (term.op) {
    case 'all':
      return 'all()';
    case 'has':
      return `has(${term.label})`;
    case 'in':
      return `${term.label} in {${term.values.map((text) => `"${text}"`).join(', ')}}`;
    case 'not':
      return `!(${print(term.term)})`;
    case 'and':
    case 'or':
      return term.terms.map((part) => `(${print(part)})`).join(term.op === 'and' ? ' && ' : '||');
    default:
      return `${term.label} ${OPERATORS[term.op]} '${term.value}'`;
  }
}

const labels = fc.dictionary(label, value, { noNullPrototype: true });

describe('ipam/selector properties', () => {
  it('answers for a printed selector as for the selector itself', () => {
    fc.assert(
      fc.property(selector, labels, (tree, on) => {
        expect(selects(print(tree), on)).to.equal(matchesSelector(tree, on));
      }),
    );
  });

  it('gives the opposite answer for the negation', () => {
    fc.assert(
      fc.property(selector, labels, (tree, on) => {
        expect(selects(`!(${print(tree)})`, on)).to.equal(!matchesSelector(tree, on));
      }),
    );
  });

  it('never throws, whatever the text', () => {
    const noise = fc.string({ unit: fc.constantFrom(...Array.from('a"\'!&|(){}, =in\t\n')) });
    fc.assert(fc.property(fc.oneof(fc.string(), noise), (text) => void parseSelector(text)));
  });
});
