import { expect } from 'chai';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../src/support/json.ts';
import {
  affinityEntry,
  blockEntry,
  entriesOf,
  type Entry,
  exported,
  fileOf,
  handleEntry,
  nodeEntry,
  objectEntry,
} from '../support/export-world.ts';
import { memberNames } from '../support/member-names.ts';

/** Texts of the sort that break files. */
const nasty = fc.constantFrom(
  '===',
  '===\n',
  'x\n===\ny',
  '\n---\n',
  '--- a',
  '\r\n',
  '\r',
  '- a: b',
  '# x',
  '&a',
  '*a',
  '!!str x',
  '{a}',
  '[',
  '"',
  "'",
  '\\',
  ': ',
  'yes',
  'null',
  '~',
  '0x1f',
  '1e3',
  '007',
  '1:2',
  '2026-11-29',
  '\u0085',
  '\u2028',
  '\ufeff',
  '\uffff',
  '\ud83d\ude00',
  '\u0000',
  '\t',
  ' ',
  '<<',
);
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  nasty,
  fc.tuple(nasty, fc.string(), nasty).map((parts) => parts.join('')),
);
const member = memberNames(text);
const scalar: fc.Arbitrary<JsonValue> = fc.oneof(
  text,
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n - 1n }),
);
const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(member, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const object = fc.dictionary(member, value, { maxKeys: 5, noNullPrototype: true });

const name = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?$/);

describe('property/export', function () {
  this.timeout(120_000);

  it('writes files that read back as they were, whatever the values', async () => {
    await fc.assert(
      fc.asyncProperty(object, object, object, async (spec, secondary, later) => {
        const texts = Object.fromEntries(Object.keys(secondary).map((key) => [key, 'x\n===\n']));
        const run = await exported([
          objectEntry('ippools', 'IPPool', 'main', { later: spec }),
          blockEntry('10.0.0.0/30', 'host:a', [{ handle_id: 'net.1', secondary: texts, later }]),
          handleEntry('net.1', { '10.0.0.0/30': 1 }),
        ]);
        const file = fileOf(run);
        expect(run.text?.split('===\n')).to.have.lengthOf(3);
        expect(file.objects.find(({ kind }) => kind === 'IPPool')?.['spec']).to.deep.equal({
          later: spec,
        });
        const block = entriesOf(run).get('/calico/ipam/v2/assignment/ipv4/block/10.0.0.0-30');
        const [attribute] = block?.['attributes'] as unknown as readonly JsonObject[];
        expect(attribute?.['secondary']).to.deep.equal(texts);
        expect(attribute?.['later']).to.deep.equal(later);
      }),
      { numRuns: 300 },
    );
  });

  it('maps names there and back to the same rows', async () => {
    const pairs = fc
      .uniqueArray(name, { minLength: 1, maxLength: 6 })
      .chain((from) =>
        fc
          .uniqueArray(name, { minLength: from.length, maxLength: from.length })
          .map((to) => from.map((old, at) => [old, to[at] ?? old] as const)),
      );
    await fc.assert(
      fc.asyncProperty(pairs, async (names) => {
        const there = await exported(
          rowsOf(
            names.map(([from]) => from),
            names,
          ),
        );
        const back = await exported([
          ...names.map(([from, to]) => nodeEntry(to, from)),
          ...[...entriesOf(there)].map(([key, entry]) => ({ key, value: entry })),
        ]);
        const original = await exported(
          rowsOf(
            names.map(([from]) => from),
            names.map(([from]) => [from, from] as const),
          ),
        );
        expect(entriesOf(back)).to.deep.equal(entriesOf(original));
        const renamed = await exported(
          rowsOf(
            names.map(([, to]) => to),
            names.map(([, to]) => [to, to] as const),
          ),
        );
        expect(entriesOf(there)).to.deep.equal(entriesOf(renamed));
      }),
      { numRuns: 100 },
    );
  });
});

/** A block, a claim and a tunnel for each host, and the nodes. */
function rowsOf(
  hosts: readonly string[],
  nodes: readonly (readonly [string, string])[],
): readonly Entry[] {
  return [
    ...nodes.map(([from, to]) => nodeEntry(from, to)),
    ...hosts.flatMap((host, at) => {
      const cidr = `10.0.${at}.0/30`;
      const handle = `vxlan-v6-tunnel-addr-${host}`;
      const other = hosts[(at + 1) % hosts.length] ?? host;
      return [
        blockEntry(cidr, `host:${host}`, [
          { handle_id: handle, secondary: { node: host }, alternateOwnerAttrs: { node: other } },
        ]),
        affinityEntry(`host/${host}`, cidr),
        handleEntry(handle, { [cidr]: 1 }),
      ];
    }),
  ];
}
