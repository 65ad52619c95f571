import { expect } from 'chai';
import { parseJson, stringifyJson } from '../../../src/support/json.ts';

describe('support/json', () => {
  describe('parseJson', () => {
    it('keeps every digit of a sequence number', () => {
      expect(parseJson('1764426896123456789')).to.equal(1764426896123456789n);
      expect(parseJson('{"sequenceNumber":1764426000123456789}')).to.deep.equal({
        sequenceNumber: 1764426000123456789n,
      });
      expect(parseJson('{"0": 1764426000123456789 ,"5":7,"7":-9223372036854775808}')).to.deep.equal(
        {
          0: 1764426000123456789n,
          5: 7,
          7: -9223372036854775808n,
        },
      );
      expect(
        parseJson('[18446744073709551615,\n\t340282366920938463463374607431768211456]'),
      ).to.deep.equal([18446744073709551615n, 340282366920938463463374607431768211456n]);
    });

    it('makes a bigint of the first integer that a number does not hold for sure', () => {
      expect(parseJson('[9007199254740991,9007199254740992,9007199254740993]')).to.deep.equal([
        9007199254740991,
        9007199254740992n,
        9007199254740993n,
      ]);
      expect(parseJson('[-9007199254740991,-9007199254740992]')).to.deep.equal([
        -9007199254740991,
        -9007199254740992n,
      ]);
    });

    const numbers = [
      '1e400',
      '-1e400',
      '1234567890123456789.5',
      '1234567890123456789e2',
      '1234567890123456789E2',
      '0.1234567890123456789',
      '1.12345678901234567890e5',
      '1e0000000000000000001',
      '1E+0000000000000000001',
      '1e-0000000000000000001',
      '-0',
      '100000000000000000000.0',
      '1234567890123456',
      '9999999999999998e0',
    ];
    for (const text of numbers) {
      it(`leaves ${text} a number`, () => {
        expect(parseJson(text)).to.equal(JSON.parse(text));
        expect(parseJson(`[1764426896123456789,${text}]`)).to.deep.equal([
          1764426896123456789n,
          JSON.parse(text),
        ]);
      });
    }

    it('leaves digits inside strings and member names alone', () => {
      const texts = [
        '{"1764426896123456789":"1764426896123456789"}',
        String.raw`["a\"1764426896123456789","\\",1]`,
        String.raw`["\\\"1764426896123456789 , 1764426896123456789","\\\\"]`,
        String.raw`["\u00221764426896123456789",": 1764426896123456789,"]`,
        '["",": [1764426896123456789"]',
      ];
      for (const text of texts) expect(parseJson(text), text).to.deep.equal(JSON.parse(text));
    });

    it('tells a number from the same digits in a string beside it', () => {
      expect(
        parseJson(String.raw`["\\",1764426896123456789,"1764426896123456789",1764426896123456788]`),
      ).to.deep.equal(['\\', 1764426896123456789n, '1764426896123456789', 1764426896123456788n]);
    });

    it('tells a number from digits behind an escaped quote', () => {
      const text = String.raw`["a\" 1764426896123456789",1764426896123456788]`;
      expect(parseJson(text)).to.deep.equal(['a" 1764426896123456789', 1764426896123456788n]);
    });

    it('does not confuse its marks with characters of the text, written out or escaped', () => {
      expect(
        parseJson('["\u00801","\\u00811","\\u00821","\u20001",1764426896123456789]'),
      ).to.deep.equal(['\u00801', '\u00811', '\u00821', '\u20001', 1764426896123456789n]);
    });

    it('takes the last of repeated members, as JSON.parse does', () => {
      expect(parseJson('{"a":1764426896123456789,"a":1,"b":[1764426896123456788]}')).to.deep.equal({
        a: 1,
        b: [1764426896123456788n],
      });
      expect(parseJson('{"a":1,"a":1764426896123456789}')).to.deep.equal({
        a: 1764426896123456789n,
      });
    });

    it('keeps __proto__ an own member and touches no prototype', () => {
      const parsed = parseJson(
        '{"__proto__":{"polluted":1764426896123456789},"a":{"__proto__":1764426896123456789}}',
      ) as {
        a: object;
      };
      expect(Object.keys(parsed)).to.deep.equal(['__proto__', 'a']);
      expect(Object.getPrototypeOf(parsed)).to.equal(Object.prototype);
      expect(Object.getOwnPropertyDescriptor(parsed, '__proto__')?.value).to.deep.equal({
        polluted: 1764426896123456789n,
      });
      expect(Object.getOwnPropertyDescriptor(parsed.a, '__proto__')?.value).to.equal(
        1764426896123456789n,
      );
      expect('polluted' in {}).to.equal(false);
    });

    it('goes as deep as JSON.parse', () => {
      const depth = 100_000;
      let value = parseJson(`${'['.repeat(depth)}1764426896123456789${']'.repeat(depth)}`);
      while (Array.isArray(value)) value = value[0] ?? null;
      expect(value).to.equal(1764426896123456789n);
    });

    it('finds integers below as many names as there are', () => {
      const count = 200_000;
      const members = Array.from({ length: count }, (_, i) => `"n${i}":{"x":1764426896123456789}`);
      const parsed = parseJson(`[{${members.join()}}]`) as { x: bigint }[][];
      const values = new Set(Object.values(parsed[0] ?? {}).map(({ x }) => x));
      expect([...values]).to.deep.equal([1764426896123456789n]);
    });

    const invalid = [
      '',
      '{1764426896123456789:1}',
      '{1764426896123456789 : 1}',
      '[01764426896123456789]',
      '[-01764426896123456789]',
      '[--1764426896123456789]',
      '[+1764426896123456789]',
      '[.1764426896123456789]',
      '[1764426896123456789.]',
      '[1764426896123456789e]',
      '[1 1764426896123456789]',
      '["a"1764426896123456789]',
      '[1764426896123456789"a"]',
      '1764426896123456789,',
      '["1764426896123456789]',
      '[1764426896123456789,]',
      'x1764426896123456789',
      '"\\',
      '[1764426896123456789abc]',
      '[1764426896123456789n]',
      '[0x17644268961234567]',
    ];
    for (const text of invalid) {
      it(`refuses ${JSON.stringify(text)} with the message of JSON.parse`, () => {
        let message = '';
        try {
          JSON.parse(text);
        } catch (error) {
          message = (error as Error).message;
        }
        expect(() => parseJson(text)).to.throw(SyntaxError, message);
      });
    }
  });

  describe('stringifyJson', () => {
    it('prints bigints as bare integers in insertion order', () => {
      expect(
        stringifyJson({
          b: 1764426896123456789n,
          a: [-1n, { c: 340282366920938463463374607431768211456n }],
        }),
      ).to.equal(
        '{"b":1764426896123456789,"a":[-1,{"c":340282366920938463463374607431768211456}]}',
      );
      expect(stringifyJson(5n)).to.equal('5');
    });

    it('leaves undefined members out and indents when asked', () => {
      expect(stringifyJson({ a: undefined, b: 1n }, 2)).to.equal('{\n  "b": 1\n}');
    });

    it('refuses what has no JSON text', () => {
      expect(() => stringifyJson(undefined)).to.throw(TypeError, 'undefined has no JSON text');
      expect(() => stringifyJson(() => 1)).to.throw(TypeError);
    });
  });
});
