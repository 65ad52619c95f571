import { expect } from 'chai';
import fc from 'fast-check';
import { decodeEntry, decodeObject } from '../../src/datastore/codec/decode.ts';
import type { JsonObject, JsonValue } from '../../src/ipam/model/resource.ts';
import { type Row, isReadable } from '../../src/ipam/model/row.ts';
import { SOUND_OBJECTS, blockSpec } from '../support/stored-objects.ts';
import { memberNames } from '../support/member-names.ts';

/** Any JSON value as the lossless parser gives it, with texts that nearly are what fields hold. */
const anyJson: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<JsonValue>(null, true, false, '', 'x', '10.60.0.4/30', 'fd00::/122', 'host:a'),
    fc.constantFrom<JsonValue>('2026-11-29T09:00:00Z', 'true', '__proto__', '{}', '1', ','),
    fc.oneof(fc.integer(), fc.double(), fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n })),
    fc.string(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(memberNames(fc.string()), tie('value'), { maxKeys: 4 }),
  ),
})).value;

/** Every place in a value, as the names that lead there; lists are entered by position. */
function placesIn(value: JsonValue, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [[...path]];
  const inside = Object.entries(value).flatMap(([name, member]) =>
    placesIn(member, [...path, name]),
  );
  return [[...path], ...inside];
}

/** A copy in which the value at that place is another, or gone when it is undefined. */
function replaceAt(
  value: JsonValue,
  path: readonly string[],
  next: JsonValue | undefined,
): JsonValue | undefined {
  const [name, ...rest] = path;
  if (name === undefined || typeof value !== 'object' || value === null) return next;
  const member = replaceAt((value as JsonObject)[name] ?? null, rest, next);
  if (Array.isArray(value)) {
    return value.map((entry, i) => (String(i) === name ? (member ?? null) : entry));
  }
  const others = Object.entries(value).filter(([other]) => other !== name);
  return Object.fromEntries(member === undefined ? others : [...others, [name, member]]);
}

function mutationsOf(value: JsonValue): fc.Arbitrary<JsonValue> {
  const places = placesIn(value).filter((place) => place.length > 0);
  const change = fc.tuple(fc.constantFrom(...places), fc.option(anyJson, { nil: undefined }));
  return fc
    .array(change, { minLength: 1, maxLength: 3 })
    .map((changes) =>
      changes.reduce<JsonValue>(
        (next, [place, member]) => replaceAt(next, place, member) ?? {},
        value,
      ),
    );
}

/** What every decoded row keeps to, damaged or not. */
function judgeRow(row: Row | undefined): void {
  if (!row) return;
  expect(row.key.name).to.be.a('string');
  if (!isReadable(row)) {
    expect(row.unreadable).to.be.a('string').and.match(/\S/);
    expect(row.unreadable.length).to.be.lessThan(2000);
    return;
  }
  if (row.kind !== 'IPAMBlock') return;
  for (const entry of row.allocations)
    expect(entry === null || typeof entry === 'number').to.equal(true);
  for (const entry of row.unallocated) expect(entry).to.be.a('number');
  for (const number of row.sequenceNumbers.values()) expect(number).to.be.a('bigint');
  expect(row.sequenceNumber).to.be.a('bigint');
  for (const { owner } of row.attributes) {
    for (const text of Object.values(owner)) expect(text).to.be.a('string');
  }
}

describe('datastore/codec, properties', () => {
  for (const { kind, form, object } of SOUND_OBJECTS) {
    it(`reads any damaged ${kind} of ${form} or says why not`, () => {
      fc.assert(
        fc.property(mutationsOf(object), (damaged) => {
          judgeRow(decodeObject(kind, damaged as JsonObject));
        }),
        { numRuns: 300 },
      );
    });
  }

  const ENTRIES: readonly (readonly [string, JsonValue])[] = [
    ['/calico/ipam/v2/assignment/ipv4/block/10.60.0.4-30', blockSpec()],
    ['/calico/ipam/v2/host/node-1/ipv4/block/10.60.0.4-30', { state: 'confirmed', deleted: false }],
    ['/calico/ipam/v2/handle/h', { block: { '10.60.0.4/30': 1 }, deleted: false }],
    ['/calico/ipam/v2/config', { strict_affinity: true, maxBlocksPerHost: 4 }],
  ];
  for (const [path, value] of ENTRIES) {
    it(`reads any damaged value at ${path} or says why not`, () => {
      const anyValue = fc.oneof(mutationsOf(value), anyJson);
      fc.assert(
        fc.property(anyValue, (damaged) => judgeRow(decodeEntry(path, damaged))),
        { numRuns: 300 },
      );
    });
  }

  it('reads any path or leaves it alone', () => {
    const segment = fc.constantFrom(
      'host',
      'ipv4',
      'block',
      '10.0.0.0-26',
      '@',
      '',
      '%2f',
      'nodes',
    );
    const root = fc.constantFrom(
      '/calico/ipam/v2/',
      '/calico/ipam/v2/assignment/',
      '/calico/ipam/v2/handle/',
      '/calico/resources/v3/projectcalico.org/',
      '',
    );
    const tail = fc.array(fc.oneof(segment, fc.string()), { maxLength: 6 });
    fc.assert(
      fc.property(root, tail, anyJson, (start, segments, value) => {
        judgeRow(decodeEntry(start + segments.join('/'), value));
      }),
      { numRuns: 1000 },
    );
  });

  it('takes only strings for texts of a damaged owner map', () => {
    fc.assert(
      fc.property(fc.dictionary(memberNames(fc.string()), anyJson), (secondary) => {
        const spec = blockSpec({ attributes: [{ secondary }, {}] });
        judgeRow(decodeObject('IPAMBlock', { metadata: { name: 'b' }, spec }));
      }),
    );
  });
});
