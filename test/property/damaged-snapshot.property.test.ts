import { expect } from 'chai';
import fc from 'fast-check';
import { MemoryDatastore } from '../../src/datastore/memory/memory-datastore.ts';
import { resourceKindOf } from '../../src/datastore/codec/decode.ts';
import type { Finding } from '../../src/check/finding.ts';
import { type JsonObject, RESOURCE_KINDS } from '../../src/ipam/model/resource.ts';
import { runCheck } from '../../src/operations/run-check.ts';
import { showUtilization } from '../../src/operations/show-utilization.ts';
import { stringifyJson } from '../../src/support/json.ts';
import { parseTime } from '../../src/support/time.ts';
import { damaged } from '../support/damaged-dump.ts';
import { readFixtures, type Fixture } from '../support/fixture.ts';
import { readDump, type Dump } from '../support/load-objects.ts';
import { CHECK_OPTIONS } from '../support/writing-runs.ts';

/** Clusters without leaks, in which each kind of carrier holds something. */
const HEALTHY = [
  'healthy-dual-stack',
  'healthy-in-the-newer-api-group',
  'machine-stopped-and-machine-running',
  'tunnels-of-both-families',
];

/** Checks the objects, and counts and prints them on the way. */
async function checkOf(fixture: Fixture, dump: Dump, objects: readonly JsonObject[]) {
  const datastore = new MemoryDatastore({ datastore: 'memory' });
  for (const kind of RESOURCE_KINDS) if (!dump.absent.includes(kind)) datastore.declare(kind);
  for (const object of objects) {
    const kind = resourceKindOf(object['apiVersion'] as string, object['kind'] as string);
    if (kind) datastore.put(kind, object);
  }
  const now = parseTime(fixture.expect.clock) ?? 0;
  const context = {
    datastore,
    clock: { now: () => now, sleep: async () => undefined },
    progress: { step: () => undefined, warn: () => undefined },
    signal: new AbortController().signal,
    toolVersion: '0.0.0',
  };
  const use = await showUtilization(context, { by: 'node', showBlocks: true, map: true });
  stringifyJson(use.document);
  const { document, report } = await runCheck(context, {
    ...CHECK_OPTIONS,
    showAllIps: true,
    report: true,
  });
  stringifyJson(document);
  return { findings: document.findings, report };
}

const releasable = (findings: readonly Finding[]): string[] =>
  findings
    .filter((finding) => finding.releasable)
    .map(({ code, subject }) => `${code} ${subject.address ?? subject.name}`)
    .sort();

describe('snapshots with values of wrong type', () => {
  for (const fixture of readFixtures().filter(({ name }) => HEALTHY.includes(name))) {
    it(`never make anything of ${fixture.name} releasable, and are always answered`, async () => {
      const dump = await readDump(fixture.input ?? '');
      const before = await checkOf(fixture, dump, dump.objects);
      expect(releasable(before.findings), 'the sound cluster').to.deep.equal([]);
      await fc.assert(
        fc.asyncProperty(damaged(dump), async (objects) => {
          const { findings, report } = await checkOf(fixture, dump, objects);
          expect(releasable(findings)).to.deep.equal([]);
          for (const allocation of Object.values(report?.allocations ?? {}).flat())
            expect(allocation.inUse || allocation.coolingDown).to.equal(true);
          for (const { reason, remedy } of findings)
            expect(`${reason} ${remedy}`).not.to.match(/undefined|NaN|\[object/);
        }),
        { numRuns: 250 },
      );
    });
  }
});
