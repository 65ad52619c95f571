import { expect } from 'chai';
import fc from 'fast-check';
import { MemoryDatastore } from '../../src/datastore/memory/memory-datastore.ts';
import { resourceKindOf } from '../../src/datastore/codec/decode.ts';
import type { Finding } from '../../src/check/finding.ts';
import { type JsonObject, type JsonValue, RESOURCE_KINDS } from '../../src/ipam/model/resource.ts';
import { runCheck } from '../../src/operations/run-check.ts';
import { showUtilization } from '../../src/operations/show-utilization.ts';
import { stringifyJson } from '../../src/support/json.ts';
import { parseTime } from '../../src/support/time.ts';
import { readFixtures, type Fixture } from '../support/fixture.ts';
import { readDump, type Dump } from '../support/load-objects.ts';

/** Clusters without leaks, in which each kind of carrier holds something. */
const HEALTHY = [
  'healthy-dual-stack',
  'healthy-in-the-newer-api-group',
  'machine-stopped-and-machine-running',
  'tunnels-of-both-families',
];

/** What stands where something else belongs. */
const WRONG: readonly JsonValue[] = [7, -1, 1.5, 2n ** 70n, true, [1], [], { a: { b: [] } }, {}];

/** Members that Kubernetes demands: where one is missing, the row is damaged. */
const REQUIRED = ['metadata', 'name', 'namespace', 'nodeName', 'cidr', 'handleID'];

type Place = readonly (string | number)[];

function placesIn(value: JsonValue, path: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [path];
  const names = Array.isArray(value) ? value.keys() : Object.keys(value);
  return [
    path,
    ...[...names].flatMap((name) => placesIn((value as JsonObject)[name] ?? null, [...path, name])),
  ];
}

function replaceAt(value: JsonValue, [name, ...rest]: Place, next: JsonValue): JsonValue {
  if (name === undefined) return next;
  // An earlier change may have taken the place away.
  if (typeof value !== 'object' || value === null) return value;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  (copy as JsonObject)[name] = replaceAt((value as JsonObject)[name] ?? null, rest, next);
  return copy;
}

function valueAt(value: JsonValue, place: Place): JsonValue {
  return place.reduce((holder, name) => (holder as JsonObject)[name] ?? null, value);
}

function typeOf(value: JsonValue): string {
  if (value === null || Array.isArray(value)) return value === null ? 'null' : 'list';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

const isIdentity = ([first]: Place): boolean => first === 'apiVersion' || first === 'kind';

/** A dump with one or two values of wrong type in it. */
function damaged({ objects }: Dump): fc.Arbitrary<readonly JsonObject[]> {
  const one = fc.nat(objects.length - 1).chain((at) => {
    const places = placesIn(objects[at] as JsonObject).filter(
      (place) => place.length > 0 && !isIdentity(place),
    );
    return fc.constantFrom(...places).chain((place) => {
      const values = REQUIRED.includes(String(place.at(-1))) ? [...WRONG, null, ''] : WRONG;
      const type = typeOf(valueAt(objects[at] as JsonObject, place));
      return fc.record({
        at: fc.constant(at),
        place: fc.constant(place),
        value: fc.constantFrom(...values.filter((value) => value === '' || typeOf(value) !== type)),
      });
    });
  });
  return fc.array(one, { minLength: 1, maxLength: 2 }).map((changes) => {
    const copies = [...objects];
    for (const { at, place, value } of changes)
      copies[at] = replaceAt(copies[at] as JsonObject, place, value) as JsonObject;
    return copies;
  });
}

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
    failOn: 'error',
    only: [],
    skip: [],
    minAgeMs: 300_000,
    allowPartial: false,
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
