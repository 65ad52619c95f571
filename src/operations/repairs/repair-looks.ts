import { Fingerprints } from '../../check/fingerprint.ts';
import { findingIdentity } from '../../check/identity.ts';
import type { Finding } from '../../check/finding.ts';
import { RULES } from '../../check/registry.ts';
import type { RowReference } from '../../check/rule.ts';
import { reportFindings, type RuleResult, runRules } from '../../check/run-rules.ts';
import { keyText } from '../../ipam/model/resource.ts';
import type { Row } from '../../ipam/model/row.ts';
import type { ClusterState } from '../../ipam/state/cluster-state.ts';
import { confirmFindings } from '../confirm-findings.ts';
import type { OperationContext } from '../context.ts';
import { LOOKS_APART_MS, type Look, needsSecondLook, takeLook } from '../look.ts';
import { repairOf } from './registry.ts';

/** What to look for. */
export interface RepairScope {
  readonly codes: ReadonlySet<string>;
  readonly minAgeMs: number;
}

/** Findings that two looks agree on. */
export interface RepairLooks {
  readonly look: Look;
  readonly findings: readonly Finding[];
  /** Findings about handles whose rows were not the same in both looks; they are kept. */
  readonly unsettled: ReadonlySet<Finding>;
  /** Rules that lack evidence, wholly or in part. */
  readonly notEvaluated: readonly { readonly code: string; readonly missing: readonly string[] }[];
}

interface Judged {
  readonly look: Look;
  readonly results: readonly RuleResult[];
  readonly notEvaluated: RepairLooks['notEvaluated'];
}

/**
 * Looks twice at a live cluster, some seconds apart when rows of handles are concerned: an assignment writes the handle
 * before the block. Whole rows are kept in the second look for what the first has found.
 */
export async function lookForRepairs(
  context: OperationContext,
  scope: RepairScope,
): Promise<RepairLooks> {
  const isLive = context.datastore.capabilities.live;
  const first = await judge(context, await takeLook(context, isLive ? undefined : isClaim), scope);
  const wanted = rowsOf(first);
  if (!isLive || wanted.size === 0)
    return { ...first, findings: reportFindings(first.results), unsettled: new Set() };
  if (hasHandles(first.results) && needsSecondLook(context, first.look.state)) {
    context.progress.step('waiting before the second look');
    await context.clock.sleep(LOOKS_APART_MS, context.signal);
  }
  const look = await takeLook(context, ({ kind, key }) => wanted.has(`${kind} ${keyText(key)}`));
  const second = await judge(context, look, scope);
  const seen = new Set(reportFindings(first.results).map(identityOf));
  const findings = reportFindings(second.results).filter((finding) =>
    seen.has(identityOf(finding)),
  );
  return { ...second, findings, unsettled: unsettledOf(findings, first.look.state, look.state) };
}

async function judge(
  context: OperationContext,
  look: Look,
  { codes, minAgeMs }: RepairScope,
): Promise<Judged> {
  const rules = { now: look.now, minAgeMs };
  const chosen = RULES.filter(({ code }) => codes.has(code));
  const { results, notEvaluated } = runRules(chosen, look.state, rules);
  return {
    look,
    results: await confirmFindings(context, { state: look.state, results, rules }),
    notEvaluated,
  };
}

function isClaim(row: Row): boolean {
  return row.kind === 'IPAMBlock' || row.kind === 'IPAMHandle' || row.kind === 'BlockAffinity';
}

/** Rows on which repairable findings rest, and those that they are about. */
function rowsOf({ results, look }: Judged): ReadonlySet<string> {
  const rows = new Set<string>();
  for (const { rule, findings } of results) {
    if (repairOf(rule.code) === undefined) continue;
    for (const finding of findings) {
      rows.add(`${finding.subject.kind} ${finding.subject.name}`);
      for (const { kind, key } of rule.restsOn?.(finding, look.state) ?? [])
        rows.add(`${kind} ${keyText(key)}`);
    }
  }
  return rows;
}

function hasHandles(results: readonly RuleResult[]): boolean {
  return results.some(
    ({ rule, findings }) => findings.length > 0 && repairOf(rule.code)?.isAboutHandle === true,
  );
}

function unsettledOf(
  findings: readonly Finding[],
  first: ClusterState,
  second: ClusterState,
): ReadonlySet<Finding> {
  const [before, now] = [new Fingerprints(first), new Fingerprints(second)];
  const isSame = (row: RowReference): boolean => before.of(row) === now.of(row);
  return new Set(
    findings.filter((finding) => {
      if (repairOf(finding.code)?.isAboutHandle !== true) return false;
      const rule = RULES.find(({ code }) => code === finding.code);
      return !(rule?.restsOn?.(finding, second) ?? []).every(isSame);
    }),
  );
}

function identityOf({ code, subject, facts }: Finding): string {
  return findingIdentity(code, subject, facts);
}
