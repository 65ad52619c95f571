import { findingIdentity } from '../check/identity.ts';
import type { Finding, Severity } from '../check/finding.ts';
import { RULES } from '../check/registry.ts';
import { type CheckReport, makeReport, reportAllocations } from '../check/report.ts';
import type { RuleContext } from '../check/rule.ts';
import { reportFindings, runRules } from '../check/run-rules.ts';
import { reaches } from '../check/severity.ts';
import { summarize } from '../check/summary.ts';
import { RESOURCE_KINDS } from '../ipam/model/resource.ts';
import type { ClusterState } from '../ipam/state/cluster-state.ts';
import { formatTime } from '../support/time.ts';
import { confirmFindings } from './confirm-findings.ts';
import type { OperationContext } from './context.ts';
import { documentSource } from './document-source.ts';
import type { CheckAddress, CheckDocument, NotEvaluated } from './documents/check-document.ts';
import { loadClusterState } from './load-cluster-state.ts';
import type { Outcome, Verdict } from './outcome.ts';
import { utilizationOf } from './utilization/utilization-parts.ts';

/** How to check. */
export interface CheckOptions {
  /** Mildest severity that makes the check fail. */
  readonly failOn: Severity | 'never';
  /** Codes to judge; all when empty. */
  readonly only: readonly string[];
  /** Codes to leave out. */
  readonly skip: readonly string[];
  readonly minAgeMs: number;
  /** Look a second time after this long, and keep only what both looks agree on. */
  readonly recheckMs?: number | undefined;
  /** Not to fail because something could not be judged. */
  readonly allowPartial: boolean;
  /** List every allocated address in the document. */
  readonly showAllIps: boolean;
  /** Count the use of pools, blocks and nodes of the same look too. */
  readonly utilization?: boolean | undefined;
  /** Make the report that a release reads. */
  readonly report: boolean;
}

/** A check and, when asked for, the report of the same look. */
export interface CheckOutcome extends Outcome<CheckDocument> {
  readonly report: CheckReport | undefined;
}

interface Look {
  readonly state: ClusterState;
  readonly now: number;
  readonly findings: readonly Finding[];
  readonly notEvaluated: readonly NotEvaluated[];
}

/** Loads the cluster, judges it by the rules, confirms what two moments could feign, and reports. */
export async function runCheck(
  context: OperationContext,
  options: CheckOptions,
): Promise<CheckOutcome> {
  const look = await lookOnceOrTwice(context, options);
  const { state, now, findings, notEvaluated } = look;
  const tool = { name: 'ipamctl', version: context.toolVersion } as const;
  const checkedAt = formatTime(Math.floor(now / 1000) * 1000);
  const judgement = { now, minAgeMs: options.minAgeMs, findings };
  const source = documentSource(context, state);
  const document: CheckDocument = {
    kind: 'IPAMCheck',
    schemaVersion: 1,
    source,
    tool,
    checkedAt,
    datastoreLocked: state.clusterInformation?.datastoreReady === false,
    summary: summarize(state, findings),
    findings,
    notEvaluated,
    judgedCodes: judgedCodes(options),
    addresses: options.showAllIps ? addressesOf(state, judgement) : undefined,
    utilization: options.utilization
      ? utilizationOf(state, { nodes: true, mapAt: now })
      : undefined,
  };
  const report = options.report
    ? makeReport(state, { ...judgement, tool, checkedAt, apiGroup: source.apiGroup })
    : undefined;
  return { document, verdict: verdictOf(look, options), report };
}

async function lookOnceOrTwice(context: OperationContext, options: CheckOptions): Promise<Look> {
  const first = await lookOnce(context, options);
  if (options.recheckMs === undefined) return first;
  context.progress.step('waiting before the second look');
  await context.clock.sleep(options.recheckMs, context.signal);
  const second = await lookOnce(context, options);
  const seen = new Set(first.findings.map(identityOf));
  return {
    ...second,
    findings: second.findings.filter((finding) => seen.has(identityOf(finding))),
  };
}

function identityOf({ code, subject, facts }: Finding): string {
  return findingIdentity(code, subject, facts);
}

async function lookOnce(context: OperationContext, options: CheckOptions): Promise<Look> {
  const state = await loadClusterState(context, { kinds: RESOURCE_KINDS });
  const now = context.clock.now();
  const rules: RuleContext = { now, minAgeMs: options.minAgeMs };
  context.progress.step('judging');
  const { results, notEvaluated } = runRules(selectRules(options), state, rules);
  const confirmed = await confirmFindings(context, { state, results, rules });
  return { state, now, findings: reportFindings(confirmed), notEvaluated };
}

function selectRules({ only, skip }: CheckOptions): typeof RULES {
  return RULES.filter(
    ({ code }) => (only.length === 0 || only.includes(code)) && !skip.includes(code),
  );
}

/** Codes of the rules that are judged, where not all are. */
function judgedCodes(options: CheckOptions): readonly string[] | undefined {
  const rules = selectRules(options);
  return rules.length === RULES.length ? undefined : rules.map(({ code }) => code);
}

/** Findings win over what could not be judged; the format has no say. */
function verdictOf(
  { findings, notEvaluated }: Look,
  { failOn, allowPartial }: CheckOptions,
): Verdict {
  if (findings.some(({ severity }) => reaches(severity, failOn))) return 'findings';
  return notEvaluated.length > 0 && !allowPartial ? 'partial' : 'ok';
}

function addressesOf(
  state: ClusterState,
  context: { now: number; minAgeMs: number; findings: readonly Finding[] },
): readonly CheckAddress[] {
  const byAddress = Map.groupBy(context.findings, ({ subject }) => subject.address ?? '');
  return [...reportAllocations(state, context)].map((allocation) => ({
    ...allocation,
    findings: [...new Set(byAddress.get(allocation.ip)?.map(({ code }) => code))],
  }));
}
