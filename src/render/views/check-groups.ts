import type { Finding, FindingSubject, Severity } from '../../check/finding.ts';
import type { CheckDocument } from '../../operations/documents/check-document.ts';
import type { Tone } from '../theme.ts';

/** Findings of one code, in the order of the document. */
export interface FindingGroup {
  readonly code: string;
  readonly severity: Severity;
  readonly findings: readonly Finding[];
  readonly releasable: number;
  /** Distinct remedies, the commonest first. */
  readonly remedies: readonly { readonly text: string; readonly count: number }[];
}

/** Title and general remedy of rules, by code. */
export type RuleTexts = Readonly<
  Record<string, { readonly title: string; readonly remedy: string }>
>;

/** Severities from bad to harmless, with their headings and colours. */
export const SEVERITIES: readonly {
  readonly severity: Severity;
  readonly title: string;
  readonly tone: Tone;
}[] = [
  { severity: 'error', title: 'Problems', tone: 'problem' },
  { severity: 'warning', title: 'Warnings', tone: 'warning' },
  { severity: 'info', title: 'Notes', tone: 'note' },
];

/** Findings by code, in order of first occurrence. */
export function groupFindings({ findings }: CheckDocument): FindingGroup[] {
  const byCode = new Map<string, Finding[]>();
  for (const finding of findings) {
    const group = byCode.get(finding.code);
    if (group) group.push(finding);
    else byCode.set(finding.code, [finding]);
  }
  return [...byCode].map(([code, group]) => ({
    code,
    severity: group[0]?.severity ?? 'info',
    findings: group,
    releasable: group.filter((finding) => finding.releasable).length,
    remedies: countRemedies(group),
  }));
}

function countRemedies(findings: readonly Finding[]): { text: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { remedy } of findings) counts.set(remedy, (counts.get(remedy) ?? 0) + 1);
  return [...counts].map(([text, count]) => ({ text, count })).sort((a, b) => b.count - a.count);
}

/** What a finding is about, in a few words: an address, or a kind and a name. */
export function subjectText(subject: FindingSubject): string {
  if (subject.kind === 'Address') return subject.address ?? subject.name;
  const name =
    subject.namespace === undefined ? subject.name : `${subject.namespace}/${subject.name}`;
  // Rows of blocks are named after their CIDR, which reads better than the name.
  if (subject.kind === 'IPAMBlock' && subject.cidr !== undefined) return `Block ${subject.cidr}`;
  return `${subject.kind} ${name}`;
}
