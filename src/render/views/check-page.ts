import type { CheckDocument } from '../../operations/documents/check-document.ts';
import { escapeHtml, htmlPage, htmlParagraph, htmlTable } from '../html.ts';
import { groupDigits } from '../numbers.ts';
import type { TableSpec } from '../table-spec.ts';
import { addressTable } from './check-addresses.ts';
import {
  type FindingGroup,
  groupFindings,
  type RuleTexts,
  SEVERITIES,
  subjectText,
} from './check-groups.ts';
import { scopeText, verdictOf } from './check-verdict.ts';
import { sourceText } from './source.ts';

/** `ipam check` as a page: the verdict, counts by code, then every finding. */
export function checkPage(document: CheckDocument, rules: RuleTexts): string {
  const groups = groupFindings(document);
  const { tone, text, next } = verdictOf(document);
  return htmlPage('Calico IPAM check', [
    `<p class="${tone}"><strong>${escapeHtml(text)}</strong></p>`,
    ...(next === undefined ? [] : [htmlParagraph(next)]),
    htmlParagraph(
      `Check of ${sourceText(document.source)} at ${document.checkedAt}. ${scopeText(document)}`,
    ),
    ...(document.datastoreLocked ? [htmlParagraph('The datastore is locked.', 'note')] : []),
    ...(groups.length === 0 ? [] : ['<h2>Summary</h2>', htmlTable(summaryTable(groups, rules))]),
    ...SEVERITIES.flatMap(({ severity, title }) => {
      const own = groups.filter((group) => group.severity === severity);
      return own.length === 0
        ? []
        : [`<h2>${title}</h2>`, ...own.flatMap((group) => groupSection(group, rules))];
    }),
    ...notEvaluatedSection(document),
    ...(document.addresses
      ? ['<h2>Allocated addresses</h2>', htmlTable(addressTable(document.addresses))]
      : []),
  ]);
}

function summaryTable(groups: readonly FindingGroup[], rules: RuleTexts): TableSpec {
  return {
    columns: [
      { header: 'CODE' },
      { header: 'SEVERITY' },
      { header: 'FINDINGS', align: 'right' },
      { header: 'RELEASABLE', align: 'right' },
      { header: 'MEANING' },
    ],
    rows: groups.map((group) => [
      group.code,
      {
        text: group.severity,
        tone: SEVERITIES.find((entry) => entry.severity === group.severity)?.tone ?? 'note',
      },
      groupDigits(group.findings.length),
      groupDigits(group.releasable),
      rules[group.code]?.title ?? '',
    ]),
  };
}

function groupSection(group: FindingGroup, rules: RuleTexts): string[] {
  const title = rules[group.code]?.title;
  const [first, ...others] = group.remedies;
  const hasOne = first !== undefined && others.length === 0;
  const table = htmlTable({
    columns: [
      { header: 'SUBJECT' },
      { header: 'REASON' },
      { header: 'RELEASABLE' },
      ...(hasOne ? [] : [{ header: 'REMEDY' }]),
    ],
    rows: group.findings.map((finding) => [
      subjectText(finding.subject),
      finding.reason,
      finding.releasable ? 'yes' : 'no',
      ...(hasOne ? [] : [finding.remedy]),
    ]),
  });
  return [
    `<h3>${escapeHtml(group.code)}</h3>`,
    ...(title === undefined ? [] : [htmlParagraph(title)]),
    ...(hasOne ? [htmlParagraph(`Remedy: ${first.text}`)] : []),
    `<details${group.findings.length <= 50 ? ' open' : ''}><summary>${groupDigits(group.findings.length)}</summary>`,
    table,
    '</details>',
  ];
}

function notEvaluatedSection({ notEvaluated }: CheckDocument): string[] {
  if (notEvaluated.length === 0) return [];
  return [
    '<h2>Not evaluated, or in part only</h2>',
    htmlTable({
      columns: [{ header: 'CODE' }, { header: 'NOT READ' }],
      rows: notEvaluated.map(({ code, missing }) => [code, missing.join(', ')]),
    }),
  ];
}
