import { expect } from 'chai';
import { entryText } from '../../../../src/datastore/codec/entry-text.ts';
import { type JsonValue, parseJson } from '../../../../src/support/json.ts';

describe('datastore/codec/entry-text', () => {
  const cases: readonly (readonly [string, JsonValue, string])[] = [
    ['members as they stand', { b: 1, a: [true, null, 'x'] }, '{"b":1,"a":[true,null,"x"]}'],
    ['maps by ordinal in the order of texts', { '2': 1, '10': 2 }, '{"10":2,"2":1}'],
    ['maps with some numbers among their names so too', { '7': '', '-1': '' }, '{"-1":"","7":""}'],
    [
      'what HTML takes for markup as escapes',
      { '<&>': '<&>' },
      '{"\\u003c\\u0026\\u003e":"\\u003c\\u0026\\u003e"}',
    ],
    ['separators of lines as escapes', 'a\u2028b\u2029\n\u0001', '"a\\u2028b\\u2029\\n\\u0001"'],
    ['other letters as they are', 'ä/é 😀\u007f', '"ä/é 😀\u007f"'],
    ['numbers beyond 2^53 exactly', [1764426896123456789n], '[1764426896123456789]'],
  ];
  for (const [what, value, text] of cases) {
    it(`writes ${what}`, () => {
      expect(entryText(value)).to.equal(text);
      expect(parseJson(entryText(value))).to.deep.equal(value);
    });
  }
});
