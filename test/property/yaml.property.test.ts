import { expect } from 'chai';
import fc from 'fast-check';
import { parseAllDocuments, stringify } from 'yaml';
import { readDocuments } from '../../src/datastore/snapshot/documents.ts';
import type { JsonValue } from '../../src/ipam/model/resource.ts';
import { stringifyJson } from '../../src/support/json.ts';
import { memberNames } from '../support/member-names.ts';

const SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** What writers leave bare and readers disagree about: octals of 1.2 in text of 1.1, merge keys of 1.1 in text of 1.2. */
const AMBIGUOUS = /^(?:[-+]?0o[0-7]+|<<)$/;

/** Texts that other readers of YAML take for something else, and any text at all. */
const text = fc.oneof(
  fc.constantFrom(
    'yes',
    'no',
    'on',
    'off',
    'y',
    'null',
    '~',
    '',
    '1:20',
    '2026-11-29T12:00:00Z',
    '2026-11-29',
  ),
  fc.constantFrom(
    '0x1f',
    '017',
    '1_000',
    '1e3',
    '.5',
    '.inf',
    '.nan',
    '+1',
    '-0',
    '=',
    '!x',
    '&a',
    '*a',
  ),
  fc.constantFrom(
    '10.0.0.0/26',
    'fd00::/122',
    '1764426000123456789',
    '- a',
    'a: b',
    '# x',
    '---',
    '...',
    '%x',
    '@',
    '`',
  ),
  fc.string({ unit: 'binary' }).filter((value) => value.isWellFormed()),
  fc.string().filter((value) => !AMBIGUOUS.test(value)),
);

const integer = fc
  .bigInt({ min: -(2n ** 64n), max: 2n ** 64n })
  .map((value) => (value > SAFE || value < -SAFE ? value : Number(value)));

const json = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    integer,
    fc.constantFrom(true, false, null, 0, 1764426000123456789n, 18446744073709551615n, 0.5, 1e21),
    fc.array(tie('value'), { maxLength: 5 }),
    fc
      .dictionary(memberNames(text), tie('value'), { maxKeys: 5 })
      .map((members) => ({ ...members })),
  ),
})).value;

/** A document at the top level that no reader leaves out as empty. */
const document = fc
  .dictionary(text, json, { minKeys: 1, maxKeys: 5 })
  .map((members) => ({ ...members }));

function read(source: string): JsonValue[] {
  return [...readDocuments(source, 'test.yaml')].map(({ value }) => value);
}

/** What the `yaml` package reads, with integers as the snapshot has them. */
function readWithYaml(source: string): unknown[] {
  return parseAllDocuments(source, { intAsBigInt: true, merge: true }).map((parsed) => {
    expect(parsed.errors).to.deep.equal([]);
    return narrow(parsed.toJS());
  });
}

function narrow(value: unknown): unknown {
  if (typeof value === 'bigint') return value > SAFE || value < -SAFE ? value : Number(value);
  if (Array.isArray(value)) return value.map(narrow);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, narrow(member)]));
}

describe('datastore/snapshot: YAML', () => {
  for (const version of ['1.1', '1.2'] as const) {
    it(`reads what is written as YAML ${version} back unchanged, integers exact`, () => {
      fc.assert(
        fc.property(document, (value) => {
          const source = stringify(value, { version, aliasDuplicateObjects: false });
          expect(read(source)).to.deep.equal([value]);
        }),
        { numRuns: 300 },
      );
    });
  }

  it('reads the same as the yaml package does', () => {
    fc.assert(
      fc.property(fc.array(document, { minLength: 1, maxLength: 4 }), (values) => {
        const source = values
          .map((value) =>
            stringify(value, {
              defaultStringType: 'PLAIN',
              lineWidth: 20,
              aliasDuplicateObjects: false,
            }),
          )
          .join('---\n');
        expect(read(source)).to.deep.equal(readWithYaml(source));
      }),
      { numRuns: 100 },
    );
  });

  it('reads plain scalars as the yaml package does', () => {
    const scalar = fc.oneof(
      fc.stringMatching(/^[-+]?[0-9]{1,24}$/),
      fc.stringMatching(/^[-+]?(0x[0-9a-fA-F]{1,20}|0o[0-7]{1,24})$/),
      fc
        .stringMatching(/^[-+]?[0-9]{0,5}\.?[0-9]{0,5}([eE][-+]?[0-9]{1,2})?$/)
        .filter((plain) => plain !== '-'),
      fc.stringMatching(/^(true|True|TRUE|false|null|Null|~|yes|on|\.inf|-\.Inf|\.NaN)$/),
      fc.stringMatching(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$/),
    );
    fc.assert(
      fc.property(scalar, (plain) => {
        const source = `value: ${plain}\n`;
        expect(read(source)).to.deep.equal(readWithYaml(source));
      }),
      { numRuns: 1000 },
    );
  });

  it('reads a long list piece by piece as it reads it whole', () => {
    fc.assert(
      fc.property(
        fc.array(document, { minLength: 1, maxLength: 10 }),
        fc.boolean(),
        (values, indentSeq) => {
          // Long enough to be cut: every item carries a text of its own.
          const items = values.map((value, index) => ({
            ...value,
            filler: `${index} ${'x'.repeat(70_000)}`,
          }));
          const list = { apiVersion: 'v1', items, kind: 'List', metadata: { resourceVersion: '' } };
          const source = `# a list\n${stringify(list, { indentSeq, aliasDuplicateObjects: false })}`;
          const [parsed, ...others] = [...readDocuments(source, 'test.yaml')];
          expect(others).to.deep.equal([]);
          expect(parsed?.value).to.deep.equal(list);
          expect(parsed?.line).to.equal(2);
          const mark = indentSeq ? '  - ' : '- ';
          const lines = source.split('\n');
          expect(parsed?.itemLines).to.have.length(items.length);
          for (const line of parsed?.itemLines ?? [])
            expect(lines[line - 1]?.startsWith(mark)).to.equal(true);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('reads JSON documents in a row back unchanged', () => {
    fc.assert(
      fc.property(
        fc.array(document, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('\n', ' ', '\n---\n', ''),
        (values, between) => {
          expect(read(values.map((value) => stringifyJson(value)).join(between))).to.deep.equal(
            values,
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it('throws nothing but its own errors on damaged text', () => {
    const source = stringify({ a: [{ b: 'c' }, 'd: e'], f: { g: 1764426000123456789n } });
    const damage = fc.record({
      at: fc.nat(source.length),
      cut: fc.nat(8),
      put: fc.string({ maxLength: 4 }),
    });
    fc.assert(
      fc.property(damage, ({ at, cut, put }) => {
        try {
          read(source.slice(0, at) + put + source.slice(at + cut));
        } catch (error) {
          expect(error).to.have.property('code', 'DATA');
          expect(error)
            .to.have.property('message')
            .that.matches(/^test\.yaml:\d+: /);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
