import { expect } from 'chai';
import type { Facts, FindingSubject } from '../../src/check/finding.ts';
import type { Rule, RuleContext } from '../../src/check/rule.ts';
import type { ClusterState } from '../../src/ipam/state/cluster-state.ts';
import { CONTEXT } from './builders.ts';

/** A finding of one rule with its texts. */
export interface Judged {
  readonly subject: FindingSubject;
  readonly facts: Facts;
  readonly releasable: boolean;
  readonly reason: string;
  readonly remedy: string;
}

/** What a rule finds in a state; its texts must be sentences. */
export function judge(
  rule: Rule,
  state: ClusterState,
  context: RuleContext = CONTEXT,
): readonly Judged[] {
  return [...rule.evaluate(state, context)].map(({ subject, facts, releasable = false }) => {
    const [reason, remedy] = [rule.reason(facts), rule.remedyFor(facts)];
    for (const text of [reason, remedy]) {
      expect(text, 'a sentence without holes')
        .to.match(/\.$/)
        .and.not.match(/undefined|\[object|NaN/);
    }
    return { subject, facts, releasable, reason, remedy };
  });
}

/** Addresses, else handles, else names that a rule finds, in order. */
export function subjectsOf(
  rule: Rule,
  state: ClusterState,
  context?: RuleContext,
): readonly string[] {
  return judge(rule, state, context).map(
    ({ subject }) => subject.address ?? subject.handle ?? subject.name,
  );
}

/** Rows on which the findings of a rule rest, as `Kind namespace/name`. */
export function restsOn(
  rule: Rule,
  state: ClusterState,
  context: RuleContext = CONTEXT,
): readonly string[] {
  return [...rule.evaluate(state, context)].flatMap((finding) =>
    (rule.restsOn?.(finding, state) ?? []).map(({ kind, key: { namespace, name } }) =>
      namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`,
    ),
  );
}
