import type { ClusterState } from '../ipam/state/cluster-state.ts';
import type { ResourceKey, ResourceKind } from '../ipam/model/resource.ts';
import type { Facts, RuleFinding, Severity } from './finding.ts';

/** What a rule may know beside the state. */
export interface RuleContext {
  /** The moment of judgement, milliseconds since 1970. */
  readonly now: number;
  /** Allocations, handles and rows younger than this many milliseconds are left alone. */
  readonly minAgeMs: number;
}

/** A row on which a finding rests. */
export interface RowReference {
  readonly kind: ResourceKind;
  readonly key: ResourceKey;
  /** The row may change between two looks as long as the finding stands: its subject says what must be the same. */
  readonly mayChange?: true | undefined;
}

/** One check rule: one file, one code. The order of findings is stable and follows the subject (addresses numerically). */
export interface Rule<F extends Facts = Facts> {
  /** Kebab-case, the file's name; never reused, never renamed. */
  readonly code: string;
  readonly severity: Severity;
  /** Kinds without which the rule cannot be judged at all. */
  readonly needs: readonly ResourceKind[];
  /** One line for lists. */
  readonly title: string;
  /** What is wrong when it fires, for docs/checks.md and --explain. */
  readonly why: string;
  /** What to do, in general, for docs/checks.md and --explain. */
  readonly remedy: string;
  /** Kinds that were missing for a part of what this state holds, beyond `needs`; the rule then judges the rest. */
  readonly missingFor?: (state: ClusterState) => readonly ResourceKind[];
  readonly evaluate: (state: ClusterState, context: RuleContext) => Iterable<RuleFinding<F>>;
  /** Why this finding, in a sentence with a final full stop. */
  readonly reason: (facts: F) => string;
  /** What to do about this finding, in a sentence with a final full stop; names the command when there is one. */
  readonly remedyFor: (facts: F) => string;
  /**
   * Rows to read again before the finding is reported from a live datastore. Absent where reads at two moments cannot
   * feign it.
   */
  readonly restsOn?: (finding: RuleFinding<F>, state: ClusterState) => readonly RowReference[];
}

/** Declares a rule; the call is there for the types. */
export function rule<F extends Facts>(definition: Rule<F>): Rule {
  return definition as unknown as Rule;
}
