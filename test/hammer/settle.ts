import { setTimeout as sleep } from 'node:timers/promises';
import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import type { Finding } from '../../src/check/finding.ts';
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
import { BALANCER } from './job.ts';
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

/** What a cooldown leaves beside, without any harm. */
const COOLED: readonly string[] = ['cooldown-expired', 'unowned-empty-block'];

/** The addresses are nobody's: no pod of that name exists. */
const NOT_JUDGED = ['leaked-address'];

/** Codes under which a row that has to wait is found. */
const WAITING: ReadonlySet<string> = new Set(['conflicting-affinity', 'stuck-affinity']);

/** Repairs that follow from one another. */
const ROUNDS = 3;

/** Nothing is young, and every version will do. */
const REPAIR = { minAgeMs: 0, isMismatchAllowed: true };

/** Of a `conflicting-affinity`, as far as it matters here. */
interface ConflictFacts {
  readonly contradicts?: string;
  readonly owner?: string;
  readonly inUse?: number;
}

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
    if (settlement.ground.cooldownSeconds > 0 && COOLED.includes(code)) continue;
    if (!mayLeave || !LEFTOVERS.has(code))
      settlement.violations.add(`check finds ${code}: ${reason}`);
  }
  return codes;
}

/**
 * Repairs what was left; in a cluster of others only handles of the run.
 * @returns names of the rows that have to wait until the addresses of their block are released, and nothing else may wait.
 */
export async function repairLeftovers(settlement: Settlement): Promise<ReadonlySet<string>> {
  const { ground, datastore, violations } = settlement;
  if (!ground.isOwn) {
    const context = contextOf(datastore, false);
    const only = ['handle-count-mismatch', 'orphan-handle'];
    const reports = [await ownReport(settlement, context)];
    await (await planRepair(context, { ...REPAIR, only, reports })).apply();
    return new Set();
  }
  await repairAll(settlement, []);
  const findings = await findingsOf(settlement);
  const waiting = waitingRows(findings);
  for (const { code, reason, subject } of findings) {
    if (WAITING.has(code) && waiting.has(subject.name)) continue;
    violations.add(`check finds ${code} after the repair: ${reason}`);
  }
  return waiting;
}

async function repairAll({ datastore }: Settlement, only: readonly string[]): Promise<void> {
  for (let round = 1; round <= ROUNDS; round++) {
    const context = contextOf(datastore, true);
    const mutation = await planRepair(context, { ...REPAIR, only, reports: [] });
    if (mutation.isEmpty) return;
    await mutation.apply();
  }
}

/**
 * Rows of claims that were cut short at a block which has no owner and holds addresses. Nobody can tell whose such a block
 * is, so the repair leaves the row; the host itself removes it when it next looks at its blocks.
 */
function waitingRows(findings: readonly Finding[]): ReadonlySet<string> {
  const rows = findings.filter(({ code, facts }) => {
    const { contradicts, owner, inUse = 0 } = facts as ConflictFacts;
    return (
      code === 'conflicting-affinity' && contradicts === 'block' && owner === undefined && inUse > 0
    );
  });
  return new Set(rows.map(({ subject }) => subject.name));
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

/**
 * Releases everything that is held and gives up every block, which must leave no row of IPAM but those that had to wait;
 * those the repair must be able to delete now.
 */
export async function clearGround(
  settlement: Settlement,
  holdings: Holdings,
  waiting: ReadonlySet<string>,
): Promise<void> {
  await releaseAll(settlement, holdings);
  for (const name of await rowsLeft(settlement)) {
    if (!waiting.has(name.replace('BlockAffinity ', '')))
      settlement.violations.add(`${name} is left after everything was released`);
  }
  if (waiting.size === 0) return;
  await repairAll(settlement, [...WAITING, 'affinity-without-block']);
  for (const name of await rowsLeft(settlement))
    settlement.violations.add(`${name} had to wait, and is left after the last repair`);
}

async function releaseAll(settlement: Settlement, holdings: Holdings): Promise<void> {
  const { datastore, ground, violations } = settlement;
  const engine = new IpamEngine({ datastore, clock: realClock() });
  const held = holdings.all;
  const { error } = await engine.releaseAddresses(held);
  if (error !== undefined) violations.add(`the last release ended with ${textOf(error)}`);
  for (const holding of error === undefined ? held : []) holdings.released(holding);
  await waitForCooldown(ground);
  if (ground.cooldownSeconds > 0) await repairAll(settlement, ['cooldown-expired']);
  for (const owner of [...ground.hosts.map((host) => ({ type: 'host', host })), BALANCER]) {
    await engine.releaseHostAffinities(owner, true).catch((thrown: unknown) => {
      violations.add(`giving up all blocks of ${owner.host} ended with ${textOf(thrown)}`);
    });
  }
  // A block that nobody owned while its last address cooled has nobody to delete it.
  if (ground.cooldownSeconds > 0) await repairAll(settlement, ['unowned-empty-block']);
}

/** Waits until every address that is released by now has cooled; times are stored in whole seconds. */
export async function waitForCooldown({ cooldownSeconds }: Ground): Promise<void> {
  if (cooldownSeconds > 0) await sleep((cooldownSeconds + 1) * 1000);
}

async function rowsLeft({ datastore }: Settlement): Promise<readonly string[]> {
  const left: string[] = [];
  for (const kind of ['IPAMBlock', 'IPAMHandle', 'BlockAffinity'] as const) {
    for (const { key } of await rowsOf(datastore, kind)) left.push(`${kind} ${key.name}`);
  }
  return left;
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
