import { RULES } from '../check/registry.ts';
import type { Rule } from '../check/rule.ts';
import { UsageError } from '../errors/usage-error.ts';
import { nearestOf } from '../support/nearest.ts';
import type { ExplanationDocument } from './documents/explanation-document.ts';
import type { Outcome } from './outcome.ts';

/** Title and general remedy of every rule, by its code. */
export function ruleTexts(): Readonly<Record<string, Pick<Rule, 'title' | 'remedy'>>> {
  return Object.fromEntries(RULES.map(({ code, title, remedy }) => [code, { title, remedy }]));
}

/** What a rule means. @throws {@link UsageError} for a code that no rule has. */
export function explainRule(code: string): Outcome<ExplanationDocument> {
  const rule = RULES.find((candidate) => candidate.code === code);
  if (!rule) throw unknownCode(code);
  const { severity, title, why, remedy, needs } = rule;
  return {
    document: {
      kind: 'IPAMExplanation',
      schemaVersion: 1,
      code,
      severity,
      title,
      why,
      remedy,
      needs,
    },
    verdict: 'ok',
  };
}

/** Refuses codes that no rule has, naming the nearest ones. @throws {@link UsageError} */
export function assertRuleCodes(codes: readonly string[]): void {
  const unknown = codes.find((code) => !RULES.some((rule) => rule.code === code));
  if (unknown !== undefined) throw unknownCode(unknown);
}

function unknownCode(code: string): UsageError {
  const known = RULES.map((rule) => rule.code);
  const near = nearestOf(code, known);
  return new UsageError(`no check rule has the code ${code}`, {
    hint:
      near.length > 0 ? `did you mean ${near.join(' or ')}?` : `known codes: ${known.join(', ')}`,
    details: { code, near, known },
  });
}
