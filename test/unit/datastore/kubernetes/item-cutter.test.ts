import { expect } from 'chai';
import { ItemCutter } from '../../../../src/datastore/kubernetes/item-cutter.ts';

const cut = (text: string): { items: unknown[]; cutter: ItemCutter } => {
  const cutter = new ItemCutter();
  return { items: cutter.push([Buffer.from(text)])(), cutter };
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
    expect(() => cut('{"items":[1, {}, 2]}')).to.throw(SyntaxError, 'no JSON object');
  });

  describe('of items that begin with their types', () => {
    const TYPES = '{"apiVersion":"crd.projectcalico.org/v1","kind":"IPAMBlock",';
    const plain = (n: number): string => `${TYPES}"metadata":{"name":"b${n}"}}`;
    const inPieces = (text: string, length: number): { items: unknown[]; cutter: ItemCutter } => {
      const cutter = new ItemCutter();
      const items: unknown[] = [];
      for (let at = 0; at < text.length; at += length)
        items.push(...cutter.push([Buffer.from(text.slice(at, at + length))])());
      return { items, cutter };
    };
    const MISLEADING: Readonly<Record<string, string>> = {
      'nested objects of the same types': `${TYPES}"spec":{"list":[${plain(7)},${plain(8)},${plain(9)}]}}`,
      'texts that look like them': `${TYPES}"spec":{"text":${JSON.stringify(`,${TYPES}`)}}}`,
      'a text with the bare brackets': `${TYPES}"spec":{"text":"},{[]}"}}`,
      'other types': '{"apiVersion":"v1","kind":"Pod","metadata":{}}',
      'other members in front': `{"metadata":{},"kind":"IPAMBlock"}`,
    };
    for (const [what, item] of Object.entries(MISLEADING)) {
      it(`is not misled by ${what}`, () => {
        const list = [plain(1), item, plain(2), item, item, plain(3)];
        const text = `{"items":[${list.join(',')}],"metadata":{"resourceVersion":"7"}}`;
        for (const length of [1, 7, 100, 150, 256, 300, 400, 512, 1000, text.length]) {
          const { items, cutter } = inPieces(text, length);
          expect(items, `pieces of ${length}`).to.deep.equal(JSON.parse(`[${list.join(',')}]`));
          expect(cutter.end()).to.deep.equal({ items: [], metadata: { resourceVersion: '7' } });
        }
      });
    }

    it('refuses an item that is broken, or cut off', () => {
      const list = `{"items":[${plain(1)},${plain(2)},`;
      expect(() => inPieces(`${list}${TYPES}"spec":nonsense},${plain(3)}]}`, 90)).to.throw(
        SyntaxError,
        'nonsense',
      );
      expect(() => inPieces(`${list}${plain(3).slice(0, -4)}`, 90).cutter.end()).to.throw(
        SyntaxError,
      );
    });
  });
});
