import { expect } from 'chai';
import fc from 'fast-check';
import { parseJson, stringifyJson } from '../../src/support/json.ts';

/** Values with integers on both sides of 2^53, and strings that look like them or hold the marks of the parser. */
const integers = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
  fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
  fc.bigInt({ min: -(2n ** 53n) - 3n, max: -(2n ** 53n) + 3n }),
);
const strings = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('"', '\\', '1', '0', ':', ',', ' ', '\u0080', '\u0081', 'u', 'e', '.'),
  }),
  integers.map(String),
  integers.map((value) => `": ${value}`),
);
const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(
      integers,
      strings,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie('value'), { maxLength: 5 }),
    fc
      .array(fc.tuple(strings, tie('value')), { maxLength: 5 })
      .map((members) => Object.fromEntries(members) as unknown),
  ),
})).value;

/** What a value is after a trip through JSON: a safe integer comes back as a number, -0 as 0. */
function expected(value: unknown): unknown {
  if (typeof value === 'bigint') {
    return value >= -(2n ** 53n) + 1n && value <= 2n ** 53n - 1n ? Number(value) : value;
  }
  if (typeof value === 'number') {
    const text = JSON.stringify(value);
    return /^-?[0-9]+$/.test(text) ? expected(BigInt(text)) : JSON.parse(text);
  }
  if (Array.isArray(value)) return value.map(expected);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, expected(member)]),
    );
  }
  return value;
}

describe('support/json properties', () => {
  it('brings every value back, each integer with every digit', () => {
    fc.assert(
      fc.property(values, fc.constantFrom(undefined, 1, 2), (value, indent) => {
        expect(parseJson(stringifyJson(value, indent))).to.deep.equal(expected(value));
      }),
      { numRuns: 2000 },
    );
  });

  it('finds every long integer in lists, whether or not their items are built alike', () => {
    const numbers = fc.oneof(integers, fc.integer(), strings);
    const buried = fc
      .tuple(numbers, fc.nat({ max: 20 }))
      .map(([value, depth]) => Array.from({ length: depth }).reduce<unknown>((a) => [a], value));
    const spec = { number: numbers, byName: fc.dictionary(strings, numbers, { maxKeys: 3 }) };
    const item = {
      spec: fc.record(spec, { requiredKeys: [] }),
      numbers: fc.array(numbers),
      buried,
    };
    const items = fc.oneof(fc.record(item, { requiredKeys: [] }), fc.record(item), values);
    fc.assert(
      fc.property(fc.array(items), (list) => {
        expect(parseJson(stringifyJson(list))).to.deep.equal(expected(list));
      }),
      { numRuns: 1000 },
    );
  });

  it('equals JSON.parse where no integer is large', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        const plain: unknown = JSON.parse(text);
        fc.pre(!/[0-9]{16}/.test(text));
        expect(parseJson(text)).to.deep.equal(plain);
      }),
      { numRuns: 500 },
    );
  });

  it('accepts and refuses exactly what JSON.parse does, whatever is cut in or out', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      '-',
      '.',
      'e',
      '+',
      ' ',
      '\n',
      '0',
      '12',
      'true',
      '"a":',
      '9007199254740993',
      '1764426896123456789',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 9 }), (parts) => {
        const text = parts.join('');
        expect(outcomeOf(() => roundedLikeNumbers(parseJson(text)))).to.deep.equal(
          outcomeOf(() => JSON.parse(text) as unknown),
        );
      }),
      { numRuns: 20000 },
    );
  });
});

/** Bigints as the numbers to which JSON.parse rounds them. */
function roundedLikeNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(roundedLikeNumbers);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, roundedLikeNumbers(member)]),
    );
  }
  return value;
}

function outcomeOf(run: () => unknown): unknown {
  try {
    return { value: run() };
  } catch (error) {
    return { name: (error as Error).name, message: (error as Error).message };
  }
}
