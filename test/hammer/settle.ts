import { setTimeout as sleep } from 'node:timers/promises';
import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import { type ReadReport, readReport } from '../../src/check/read-report.ts';
import { IpamEngine } from '../../src/engine/ipam-engine.ts';
import type { OperationContext } from '../../src/operations/context.ts';
import { planRepair } from '../../src/operations/repair-findings.ts';
import { runCheck } from '../../src/operations/run-check.ts';
import { stringifyJson } from '../../src/support/json.ts';
import { realClock } from '../replay/real-clock.ts';
import { CHECK_OPTIONS } from '../support/writing-runs.ts';
import { type Ground, rowsOf } from './ground.ts';
import type { Holdings } from './holdings.ts';
import type { Violations } from './violations.ts';

/** Findings that work which was cut short may leave; nothing else may be found. */
const LEFTOVERS: ReadonlySet<string> = new Set([
  'handle-count-mismatch',
  'orphan-handle',
  'affinity-without-block',
  'block-without-affinity',
  'conflicting-affinity',
  'stuck-affinity',
  'unowned-empty-block',
]);

/** The addresses are nobody's: no pod of that name exists. */
const NOT_JUDGED = ['leaked-address'];

/** Repairs that follow from one another. */
const ROUNDS = 3;

/** What is needed to look and to put right. */
export interface Settlement {
  readonly datastore: WritableDatastore;
  readonly ground: Ground;
  readonly violations: Violations;
  readonly isOurs: (handle: string) => boolean;
}

/** Judges what a check of the run's own cluster finds before anything is repaired; answers the codes and how often each. */
export async function judgeLeftovers(
  settlement: Settlement,
  mayLeave: boolean,
): Promise<ReadonlyMap<string, number>> {
  const findings = await findingsOf(settlement);
  const codes = new Map<string, number>();
  for (const { code, reason } of findings) {
    codes.set(code, (codes.get(code) ?? 0) + 1);
    if (!mayLeave || !LEFTOVERS.has(code))
      settlement.violations.add(`check finds ${code}: ${reason}`);
  }
  return codes;
}

/** Repairs what was left; in a cluster of others only handles of the run. */
export async function repairLeftovers(settlement: Settlement): Promise<void> {
  const { ground, datastore, violations } = settlement;
  const context = contextOf(datastore, ground.isOwn);
  const common = { minAgeMs: 0, isMismatchAllowed: true };
  if (!ground.isOwn) {
    const only = ['handle-count-mismatch', 'orphan-handle'];
    const reports = [await ownReport(settlement, context)];
    await (await planRepair(context, { ...common, only, reports })).apply();
    return;
  }
  for (let round = 1; round <= ROUNDS; round++) {
    const mutation = await planRepair(context, { ...common, only: [], reports: [] });
    if (mutation.isEmpty) break;
    await mutation.apply();
  }
  for (const { code, reason } of await findingsOf(settlement))
    violations.add(`check finds ${code} after the repair: ${reason}`);
}

/** The report of a check, cut down to handles of the run. */
async function ownReport({ isOurs }: Settlement, context: OperationContext): Promise<ReadReport> {
  const { report } = await runCheck(context, { ...CHECK_OPTIONS, minAgeMs: 0, report: true });
  const read = readReport(stringifyJson(report), 'report');
  return {
    ...read,
    findings: read.findings?.filter(({ subject }) => isOurs(subject.handle ?? '')),
  };
}

/** Releases everything that is held and gives up every block; then no row of IPAM may be left. */
export async function clearGround(settlement: Settlement, holdings: Holdings): Promise<void> {
  const { datastore, ground, violations } = settlement;
  const engine = new IpamEngine({ datastore, clock: realClock() });
  const held = holdings.all;
  const { error } = await engine.releaseAddresses(held);
  if (error !== undefined) violations.add(`the last release ended with ${textOf(error)}`);
  for (const holding of error === undefined ? held : []) holdings.released(holding);
  for (const host of ground.hosts) {
    await engine.releaseHostAffinities({ type: 'host', host }, true).catch((thrown: unknown) => {
      violations.add(`giving up all blocks of ${host} ended with ${textOf(thrown)}`);
    });
  }
  for (const kind of ['IPAMBlock', 'IPAMHandle', 'BlockAffinity'] as const) {
    for (const { key } of await rowsOf(datastore, kind))
      violations.add(`${kind} ${key.name} is left after everything was released`);
  }
}

function textOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : 'something that is no error';
}

async function findingsOf({ datastore, ground }: Settlement) {
  const { document } = await runCheck(contextOf(datastore, ground.isOwn), {
    ...CHECK_OPTIONS,
    minAgeMs: 0,
    skip: NOT_JUDGED,
  });
  return document.findings;
}

/** Where nobody else writes, nothing has to be waited for. */
function contextOf(datastore: WritableDatastore, isAlone: boolean): OperationContext {
  let skipped = 0;
  return {
    datastore,
    clock: {
      now: () => Date.now() + skipped,
      async sleep(milliseconds) {
        if (isAlone) skipped += milliseconds;
        else await sleep(milliseconds);
      },
    },
    progress: { step: () => undefined, warn: () => undefined },
    signal: new AbortController().signal,
    toolVersion: '0.0.0-hammer',
  };
}
