import { expect } from 'chai';
import fc from 'fast-check';
import { ItemCutter } from '../../../../src/datastore/kubernetes/item-cutter.ts';
import { type JsonObject, parseJson, stringifyJson } from '../../../../src/support/json.ts';
import { memberNames } from '../../../support/member-names.ts';

/** Texts full of what could mislead a scanner. */
const trickyText = fc.oneof(
  fc.string(),
  fc.string({
    unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', 'items', 'ü', '😀', '\n'),
  }),
);

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    trickyText,
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('any'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(memberNames(trickyText), tie('any'), { maxKeys: 4 }),
}));

const plainItem = value.object as fc.Arbitrary<JsonObject>;

/** Objects that begin as items of custom resources do, some of them in others, or as texts. */
const typed = fc.letrec<{ item: JsonObject }>((tie) => ({
  item: fc
    .oneof(
      { depthSize: 'small' },
      plainItem,
      fc.array(tie('item'), { maxLength: 3 }).map((list) => ({ list })),
      tie('item').map((inner) => ({ text: `,${stringifyJson(inner)},` })),
    )
    .map((spec) => ({ apiVersion: 'v1', kind: 'K', spec })),
})).item;

const item = fc.oneof(plainItem, typed);

/** A list in either order of members, printed plain or with line breaks, and where its bytes are cut. */
const cutList = fc.record({
  items: fc.array(item, { maxLength: 6 }),
  metadata: item,
  itemsFirst: fc.boolean(),
  indent: fc.constantFrom(undefined, 2),
  cuts: fc.array(fc.nat(), { maxLength: 12 }),
});

function piecesOf(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [...cuts.map((cut) => cut % (bytes.length + 1)), 0, bytes.length].sort(
    (a, b) => a - b,
  );
  return places.slice(1).map((place, index) => bytes.subarray(places[index], place));
}

/** What JSON makes of a value that only text can hold. */
const asRead = (object: unknown): unknown => parseJson(stringifyJson(object));

describe('datastore/kubernetes/item-cutter', () => {
  it('gives the same items wherever the text is cut', () => {
    fc.assert(
      fc.property(cutList, ({ items, metadata, itemsFirst, indent, cuts }) => {
        const list = itemsFirst ? { kind: 'L', items, metadata } : { kind: 'L', metadata, items };
        const cutter = new ItemCutter();
        const found: JsonObject[] = [];
        for (const piece of piecesOf(Buffer.from(stringifyJson(list, indent)), cuts)) {
          found.push(...cutter.push([piece])());
        }
        expect(found).to.deep.equal(asRead(items));
        expect(cutter.end()).to.deep.equal(asRead({ ...list, items: [] }));
      }),
    );
  });

  it('never takes a text that was cut short for a list', () => {
    fc.assert(
      fc.property(cutList, fc.nat(), ({ items, metadata, itemsFirst }, cut) => {
        const list = itemsFirst ? { items, metadata } : { metadata, items };
        const bytes = Buffer.from(stringifyJson(list));
        const cutter = new ItemCutter();
        cutter.push([bytes.subarray(0, cut % bytes.length)])();
        expect(() => cutter.end()).to.throw(SyntaxError);
      }),
    );
  });
});
