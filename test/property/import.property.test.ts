import fc from 'fast-check';
import { expect } from 'chai';
import { MemoryDatastore } from '../../src/datastore/memory/memory-datastore.ts';
import { OBJECT_KINDS, type ObjectKind } from '../../src/datastore/object-store.ts';
import { rowDifferences } from '../../src/ipam/migration/import-differences.ts';
import { withDefaults } from '../../src/ipam/migration/import-defaults.ts';
import {
  type ImportedRow,
  objectContent,
  rowContent,
} from '../../src/ipam/migration/import-equal.ts';
import { mergedNode } from '../../src/ipam/migration/import-merge.ts';
import { OBJECT_KEYS } from '../../src/ipam/model/row-keys.ts';
import type { BlockRow } from '../../src/ipam/model/block.ts';
import type { JsonObject, JsonValue } from '../../src/ipam/model/resource.ts';
import { readContents } from '../../src/operations/import/file-contents.ts';
import { DataError } from '../../src/errors/data-error.ts';
import { contextOf } from '../support/scripted-datastore.ts';
import { openText } from '../support/import-world.ts';
import { aBlock, aHandle, fileText, PLAIN_FILE } from '../support/migration-text.ts';

const slots = fc.uniqueArray(fc.integer({ min: 0, max: 15 }), { maxLength: 16 });
const word = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);

/** Rows of a file whose block and handles hold these addresses. */
async function rowsOf(held: readonly number[], sequence: bigint): Promise<readonly ImportedRow[]> {
  const holders = Object.fromEntries(held.map((at) => [at, `k8s-pod-network.${at}`]));
  const block = aBlock('198.18.0.0-28', 'host:node-a', holders, { sequenceNumber: sequence });
  const handles = held.map((at) => aHandle(`k8s-pod-network.${at}`, { '198.18.0.0/28': 1 }));
  const source = await openText(fileText({ ...PLAIN_FILE, blocks: [block], handles }));
  const { rows } = await readContents(contextOf(source.rows), source, OBJECT_KEYS);
  return [...rows.values()].flat();
}

const json: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    word,
    fc.integer(),
    fc.boolean(),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(word, tie('value'), { maxKeys: 3 }),
  ),
})).value;

describe('property/import', () => {
  it('finds a row equal once it was made, in either group, whatever it holds', () =>
    fc.assert(
      fc.asyncProperty(slots, fc.bigInt(1n, 2n ** 63n - 1n), async (held, sequence) => {
        const rows = await rowsOf(held, sequence);
        for (const flavor of ['crd', 'v3'] as const) {
          const world = new MemoryDatastore({ datastore: 'memory' }, { flavor });
          for (const row of rows) {
            const made = await world.create(row);
            expect(rowContent(made), flavor).to.equal(rowContent(row));
            expect(rowDifferences(made, row)).to.deep.equal([]);
          }
        }
      }),
      { numRuns: 30 },
    ));

  it('tells blocks apart by any field, sequence numbers and the order of the free queue included', () =>
    fc.assert(
      fc.asyncProperty(slots, fc.integer({ min: 0, max: 5 }), async (held, which) => {
        const block = (await rowsOf(held, 7n)).find(
          (row): row is BlockRow => row.kind === 'IPAMBlock',
        );
        if (block === undefined) throw new Error('no block');
        const changes: readonly Partial<BlockRow>[] = [
          { sequenceNumber: block.sequenceNumber + 1n },
          { unallocated: [...block.unallocated, 99] },
          { affinity: undefined },
          { deleted: true },
          { claimedAt: (block.claimedAt ?? 0) + 1000 },
          { sequenceNumbers: new Map([...block.sequenceNumbers, [17, 1n]]) },
        ];
        const changed = { ...block, ...changes[which] };
        expect(rowContent(changed)).not.to.equal(rowContent(block));
        expect(rowDifferences(changed, block)).to.have.length(1);
        expect(rowContent({ ...block, revision: undefined, uid: 'other' })).to.equal(
          rowContent(block),
        );
      }),
      { numRuns: 30 },
    ));

  it('finds an object equal once its defaults are filled in, and only then', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<ObjectKind>(...OBJECT_KINDS),
        fc.dictionary(word, json, { maxKeys: 5 }),
        fc.dictionary(word, word, { maxKeys: 3 }),
        (kind, spec, labels) => {
          const object: JsonObject = { metadata: { name: 'a', labels }, spec };
          const filled: JsonObject = {
            metadata: { name: 'a', labels, uid: 'u' },
            spec: withDefaults(kind, spec),
          };
          expect(objectContent(kind, filled)).to.equal(objectContent(kind, object));
          const more = { ...object, spec: { ...spec, somethingElse: 1 } };
          expect(objectContent(kind, more)).not.to.equal(objectContent(kind, object));
        },
      ),
    );
  });

  it('merges nodes once: what was merged has nothing left to merge, and nothing is erased', () => {
    const spec = fc.record(
      {
        bgp: fc.record(
          { ipv4Address: word, asNumber: fc.integer({ min: 1 }) },
          { requiredKeys: [] },
        ),
        ipv4VXLANTunnelAddr: word,
        interfaces: fc.array(fc.record({ name: word }), { maxLength: 2 }),
      },
      { requiredKeys: [] },
    );
    const node = fc
      .record({ spec, labels: fc.dictionary(word, word, { maxKeys: 3 }) })
      .map(({ spec, labels }): JsonObject => ({
        metadata: { name: 'n', labels },
        spec,
      }));
    fc.assert(
      fc.property(node, node, (target, wanted) => {
        const merged = mergedNode(target, wanted) ?? target;
        expect(mergedNode(merged, wanted)).to.equal(undefined);
        const labels = (merged['metadata'] as { labels: JsonObject }).labels;
        const both = {
          ...(target['metadata'] as { labels: JsonObject }).labels,
          ...(wanted['metadata'] as { labels: JsonObject }).labels,
        };
        expect(labels).to.deep.equal(both);
        expect(Object.keys(merged['spec'] as JsonObject)).to.include.members(
          Object.keys(target['spec'] as JsonObject),
        );
      }),
    );
  });

  it('never takes a file that was cut or changed for another one, and never fails otherwise', () =>
    fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.constantFrom('', '{', '"', '0', '===\n', ']'),
        async (at, instead) => {
          const text = fileText();
          const place = at % text.length;
          const broken =
            text.slice(0, place) + instead + (instead === '' ? '' : text.slice(place + 1));
          try {
            const source = await openText(broken);
            await readContents(contextOf(source.rows), source, OBJECT_KEYS);
          } catch (error) {
            expect(error).to.be.instanceOf(DataError);
          }
        },
      ),
      { numRuns: 150 },
    ));
});
