import type { ResourceKind } from '../ipam/model/resource.ts';
import type { ClusterState } from '../ipam/state/cluster-state.ts';
import type { Finding, RuleFinding } from './finding.ts';
import type { Rule, RuleContext } from './rule.ts';

/** What one rule found. */
export interface RuleResult {
  readonly rule: Rule;
  readonly findings: readonly RuleFinding[];
}

/** What all rules found, and which could not be judged, or in part only. */
export interface RulesResult {
  readonly results: readonly RuleResult[];
  readonly notEvaluated: readonly {
    readonly code: string;
    readonly missing: readonly ResourceKind[];
  }[];
}

/** Judges a state by the rules, in their order. A rule whose kinds were not all read does not run. */
export function runRules(
  rules: readonly Rule[],
  state: ClusterState,
  context: RuleContext,
): RulesResult {
  const results: RuleResult[] = [];
  const notEvaluated: { code: string; missing: readonly ResourceKind[] }[] = [];
  for (const rule of rules) {
    const needed = rule.needs.filter((kind) => !state.isLoaded(kind));
    const missing = needed.length > 0 ? needed : (rule.missingFor?.(state) ?? []);
    if (missing.length > 0) notEvaluated.push({ code: rule.code, missing });
    if (needed.length === 0) results.push({ rule, findings: [...rule.evaluate(state, context)] });
  }
  return { results, notEvaluated };
}

/** The findings of the report, with their texts. */
export function reportFindings(results: readonly RuleResult[]): readonly Finding[] {
  return results.flatMap(({ rule, findings }) =>
    findings.map(({ subject, facts, releasable }) => ({
      code: rule.code,
      severity: rule.severity,
      subject,
      facts,
      reason: rule.reason(facts),
      remedy: rule.remedyFor(facts),
      releasable: releasable ?? false,
    })),
  );
}
