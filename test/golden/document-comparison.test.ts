import { expect } from 'chai';
import { contains, differences, unmatched } from '../support/document-comparison.ts';

describe('test/support/document-comparison', () => {
  it('finds a part in any order and names what is missing', () => {
    const whole = { a: [{ x: 1, y: 2 }, { x: 3 }], n: 2n ** 64n };
    expect(contains(whole, { a: [{ x: 3 }, { y: 2 }], n: 2n ** 64n })).to.be.true;
    expect(differences(whole, { a: [{ x: 2 }] })).to.deep.equal([
      'document.a: expected [{"x":2}], got [{"x":1,"y":2},{"x":3}]',
    ]);
    expect(differences({}, { b: { c: 1 } })).to.deep.equal([
      'document.b: expected {"c":1}, got nothing',
    ]);
  });

  it('tells a number from its text and one integer from its neighbour', () => {
    expect(contains({ n: '1' }, { n: 1 })).to.be.false;
    expect(contains({ n: 2n ** 64n }, { n: 2n ** 64n + 1n })).to.be.false;
  });

  it('pairs every expectation with an item of its own', () => {
    const items = [{ code: 'a', node: 'x' }, { code: 'a' }];
    expect(unmatched(items, [{ code: 'a' }, { code: 'a', node: 'x' }])).to.deep.equal([]);
    expect(unmatched(items, [{ code: 'a' }, { code: 'a' }, { code: 'a' }])).to.have.length(1);
    expect(unmatched(items, [{ node: 'x' }, { node: 'x' }])).to.have.length(1);
  });

  it('takes no inherited member for one of the document', () => {
    expect(contains({}, { constructor: {} })).to.be.false;
  });
});
