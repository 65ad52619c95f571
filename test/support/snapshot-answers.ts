/** Takes snapshots of datastores and asks both the same questions. */
import { Readable } from 'node:stream';
import type { Datastore, WritableDatastore } from '../../src/datastore/datastore.ts';
import { openSnapshot } from '../../src/datastore/snapshot/snapshot-datastore.ts';
import type { RedactionLevel } from '../../src/ipam/redaction/survey.ts';
import type { OperationContext } from '../../src/operations/context.ts';
import { runCheck } from '../../src/operations/run-check.ts';
import { showUtilization } from '../../src/operations/show-utilization.ts';
import { snapshotDatastore } from '../../src/operations/snapshot-datastore.ts';
import { parseJson, stringifyJson, type JsonObject } from '../../src/support/json.ts';
import { MemoryTarget } from './snapshot-target.ts';
import { CHECK_OPTIONS } from './writing-runs.ts';

/** Ways to write a snapshot. */
export const LEVELS: readonly (RedactionLevel | undefined)[] = [undefined, 'names', 'all'];

/** Always the same key, so that a failure comes again. */
export const KEY = Buffer.alloc(32, 'key of the tests');

/** The ports of an operation at a moment. */
export function contextAt(datastore: Datastore, now: number): OperationContext {
  return {
    datastore,
    clock: { now: () => now, sleep: async () => undefined },
    progress: { step: () => undefined, warn: () => undefined },
    signal: new AbortController().signal,
    toolVersion: '0.0.0',
  };
}

/** The text of a snapshot. */
export async function snapshotText(
  datastore: Datastore,
  level?: RedactionLevel,
  now = 0,
): Promise<string> {
  const target = new MemoryTarget();
  const redaction = level && { level, key: KEY };
  await snapshotDatastore(contextAt(datastore, now), target, { redaction, isDryRun: false });
  return target.text;
}

/** The text as `--snapshot -` opens it. */
export function openText(text: string): Promise<WritableDatastore> {
  return openSnapshot('-', { stdin: Readable.from([Buffer.from(text)]) });
}

/** What check and show say, without names and addresses: counts, codes, severities, what may be released. */
export async function answersOf(datastore: Datastore, now: number): Promise<JsonObject> {
  const context = contextAt(datastore, now);
  const { document: check, verdict } = await runCheck(context, {
    ...CHECK_OPTIONS,
    showAllIps: true,
  });
  const addresses = check.addresses ?? [];
  const { document: show } = await showUtilization(context, { by: 'node', showBlocks: true });
  return parseJson(
    stringifyJson({
      verdict,
      locked: check.datastoreLocked,
      summary: check.summary,
      notEvaluated: check.notEvaluated,
      findings: sorted(
        check.findings.map((one) => `${one.code} ${one.severity} ${one.releasable}`),
      ),
      addresses: sorted(addresses.map((one) => stringifyJson(one.findings))),
      pools: sorted(show.pools.map(withoutNames)),
      outsidePools: withoutNames(show.outsidePools),
      nodes: sorted((show.nodes ?? []).map(withoutNames)),
      hints: sorted(show.hints.map(({ code }) => code)),
    }),
  ) as JsonObject;
}

function sorted(texts: readonly string[]): readonly string[] {
  return [...texts].sort();
}

const NAMES = ['name', 'node', 'affinity', 'cidr', 'message'];

/** A row of show, its lists in an order that no name decides. */
function withoutNames(value: unknown): string {
  if (Array.isArray(value)) return `[${sorted(value.map(withoutNames)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return stringifyJson(value ?? null);
  const members = Object.entries(value).filter(([name]) => !NAMES.includes(name));
  return `{${members.map(([name, member]) => `${name}:${withoutNames(member)}`).join(',')}}`;
}
