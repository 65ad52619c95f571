import { expect } from 'chai';
import { ItemCutter, parseItems } from '../../../../src/datastore/kubernetes/item-cutter.ts';

const cut = (text: string): { items: unknown[]; cutter: ItemCutter } => {
  const cutter = new ItemCutter();
  return { items: parseItems(cutter.push([Buffer.from(text)])), cutter };
};

describe('datastore/kubernetes/item-cutter', () => {
  it('knows the metadata in front of the items before the list ends', () => {
    const { cutter } = cut(
      '{"kind":"PodList","metadata":{"resourceVersion":"7"},"items":[{"a":1},{"b"',
    );
    expect(cutter.head).to.deep.equal({
      kind: 'PodList',
      metadata: { resourceVersion: '7' },
      items: [],
    });
  });

  it('reads metadata behind the items', () => {
    const { items, cutter } = cut(
      '{"items":[{"a":1}],"kind":"L","metadata":{"resourceVersion":"7"}}\n',
    );
    expect(items).to.deep.equal([{ a: 1 }]);
    expect(cutter.end()).to.deep.equal({
      items: [],
      kind: 'L',
      metadata: { resourceVersion: '7' },
    });
  });

  it('reads a list whose items are null as empty', () => {
    const { items, cutter } = cut('{"items":null,"metadata":{}}');
    expect(items).to.deep.equal([]);
    expect(cutter.end()).to.deep.equal({ items: null, metadata: {} });
  });

  it('does not mistake other arrays and nested items for the items', () => {
    const { items, cutter } = cut(
      '{"x":["items"],"y":{"items":[{"no":1}]},"items":[{"items":[1]}],"z":[{}]}',
    );
    expect(items).to.deep.equal([{ items: [1] }]);
    expect(cutter.end()).to.have.property('z').that.deep.equals([{}]);
  });

  it('keeps 64-bit integers', () => {
    expect(cut('{"items":[{"n":1764426000123456789}]}').items).to.deep.equal([
      { n: 1764426000123456789n },
    ]);
  });

  const BROKEN: readonly (readonly [string, string])[] = [
    ['nothing', ''],
    ['an end inside the items', '{"items":[{"a":1}'],
    ['an end behind the items', '{"items":[{"a":1}]'],
    ['an end inside a string', '{"items":[],"kind":"L'],
    ['something behind the end', '{"items":[]}{}'],
    ['no object', '[]'],
  ];
  for (const [what, text] of BROKEN) {
    it(`refuses ${what}`, () => {
      expect(() => cut(text).cutter.end()).to.throw(SyntaxError);
    });
  }

  it('refuses items that are no objects', () => {
    expect(() => parseItems('1, 2')).to.throw(SyntaxError, 'no JSON object');
  });
});
