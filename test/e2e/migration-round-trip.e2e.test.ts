import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { CheckDocument } from '../../src/operations/documents/check-document.ts';
import { type JsonObject, type JsonValue, parseJson } from '../../src/support/json.ts';
import { demand } from '../support/api-client.ts';
import type { CrdGroup } from '../support/crds.ts';
import { importedRevisions } from '../support/import-ground.ts';
import { MigrationBench } from '../support/round-trip/bench.ts';
import { comparedCheck } from '../support/round-trip/compare.ts';
import { CARRIED_CODES, isHealed } from '../support/round-trip/faults.ts';

/** The large cluster once, since both groups take the same way. */
const CASES = [
  {
    group: 'crd.projectcalico.org',
    version: 'crd.projectcalico.org/v1',
    nodes: 200,
    podsPerNode: 10,
    addresses: 5000,
  },
  {
    group: 'projectcalico.org',
    version: 'projectcalico.org/v3',
    nodes: 40,
    podsPerNode: 4,
    addresses: 500,
  },
] as const satisfies readonly { group: CrdGroup; [size: string]: unknown }[];

const PATIENCE_MS = 300_000;

for (const { group, version, addresses, ...size } of CASES) {
  describe(`e2e/migration from etcd to Kubernetes, ${group}`, function () {
    this.timeout(PATIENCE_MS);

    let bench: MigrationBench;
    let source: CheckDocument;

    before(async function () {
      bench = await MigrationBench.open(this, { group, size, patienceMs: PATIENCE_MS });
    });
    after(() => bench.close());

    it('starts from a cluster that has every kind of fault', async () => {
      expect(bench.cluster.addresses).to.be.at.least(addresses);
      source = await bench.check(bench.etcd);
      expect(source.source).to.include({ datastore: 'etcd' });
      expect(source.summary.allocations).to.equal(bench.cluster.addresses);
      expect(source.summary.byCode).to.include.all.keys(
        ...CARRIED_CODES,
        'malformed-handle-id',
        'stale-endpoint',
      );
      expect(source.notEvaluated).to.deep.equal([]);
    });

    it('is exported once it is locked, with the names of Kubernetes alone', async () => {
      const { status } = await bench.migrate(bench.etcd, 'export', '-o', bench.file);
      expect(status).to.equal(6);
      await bench.exportLocked();
      expect(readFileSync(bench.file, 'utf8')).not.to.include('.etcd.example');
    });

    it('is imported, and the check at the target equals the one at the source', async () => {
      const { totals } = await bench.import();
      expect(totals).to.include({ already: 0, skipped: 0, failed: 0 });
      const target = await bench.check(bench.kubernetes);
      expect(target.datastoreLocked).to.equal(true);
      const { names } = bench.cluster;
      expect(comparedCheck(target)).to.deep.equal(comparedCheck(source, names, isHealed));
    });

    it('holds the very slots and 64-bit numbers of the source', async () => {
      const stored = await bench.store.entries('/calico/ipam/v2/assignment/');
      const atSource = [...stored.values()].map((text) => slotsOf(parseJson(text) as JsonObject));
      const path = `/apis/${version}/ipamblocks`;
      const { body } = await demand(bench.api.admin, { method: 'GET', path });
      const { items } = body as unknown as { readonly items: readonly { spec: JsonObject }[] };
      const atTarget = items.map(({ spec }) => slotsOf(spec));
      expect(new Map(atTarget)).to.deep.equal(new Map(atSource));
    });

    it('is not written a second time', async () => {
      const before = await importedRevisions(bench.datastore);
      const { totals } = await bench.import('--resume');
      expect(totals.applied).to.equal(0);
      expect(await importedRevisions(bench.datastore)).to.deep.equal(before);
    });

    it('is unlocked at the target, and then stays locked at the source', async () => {
      expect((await bench.migrate(bench.kubernetes, 'unlock')).status).to.equal(0);
      const refused = await bench.migrate(bench.etcd, 'unlock');
      expect(refused.status, refused.stderr).to.equal(6);
      const { stdout } = await bench.migrate(bench.etcd, 'status', '--format', 'json');
      const { sides } = parseJson(stdout) as unknown as {
        readonly sides: readonly { readonly side: string; readonly locked: boolean }[];
      };
      expect(sides.map(({ side, locked }) => [side, locked])).to.deep.equal([
        ['etcd', true],
        ['kubernetes', false],
      ]);
      expect((await bench.check(bench.kubernetes)).datastoreLocked).to.equal(false);
    });
  });
}

/** What of a block must not change on the way; old rows lack the numbers, which counts as none. */
function slotsOf(block: JsonObject): readonly [cidr: JsonValue | undefined, slots: object] {
  const { cidr, allocations, unallocated, sequenceNumber = 0 } = block;
  const numbers = block['sequenceNumberForAllocation'] ?? {};
  return [cidr, { allocations, unallocated, sequenceNumber, numbers }];
}
