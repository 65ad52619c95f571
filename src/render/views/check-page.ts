import type { CheckDocument } from '../../operations/documents/check-document.ts';
import { escapeHtml, htmlCell, htmlPage, htmlParagraph, htmlTable } from '../html.ts';
import { groupDigits } from '../numbers.ts';
import { mapSection } from '../page/block-map.ts';
import { FILTER_SCRIPT } from '../page/filter-script.ts';
import { findingsSection } from '../page/findings.ts';
import { pageLinks, tiles } from '../page/page-parts.ts';
import { nodeSection, poolSection } from '../page/usage-tables.ts';
import { addressTable } from './check-addresses.ts';
import { type FindingGroup, groupFindings, type RuleTexts, SEVERITIES } from './check-groups.ts';
import { type NextStep, scopeText, verdictOf } from './check-verdict.ts';
import { sourceText } from './source.ts';

/** `ipam check` as a page: the verdict, counts by code, every finding, then pools, blocks and nodes of the same look. */
export function checkPage(document: CheckDocument, rules: RuleTexts): string {
  const groups = worstFirst(groupFindings(document));
  const { utilization } = document;
  const sections = [
    ...summarySection(groups, rules),
    ...findingsSection(groups, rules),
    ...notEvaluatedSection(document),
    ...(utilization
      ? [...poolSection(utilization), ...mapSection(utilization), ...nodeSection(utilization.nodes)]
      : []),
    ...(document.addresses
      ? ['<h2 id="addresses">Allocated addresses</h2>', htmlTable(addressTable(document.addresses))]
      : []),
  ];
  return htmlPage(
    'Calico IPAM check',
    [
      ...headSection(document),
      pageLinks(sections),
      ...sections,
      `<footer>Made by ipamctl ${escapeHtml(document.tool.version)}. This page loads nothing from anywhere.</footer>`,
    ],
    { script: groups.length === 0 ? undefined : FILTER_SCRIPT },
  );
}

/** By severity, then by number, as one reads a summary. */
function worstFirst(groups: readonly FindingGroup[]): readonly FindingGroup[] {
  const order = SEVERITIES.map(({ severity }) => severity);
  return groups.toSorted(
    (a, b) =>
      order.indexOf(a.severity) - order.indexOf(b.severity) ||
      b.findings.length - a.findings.length,
  );
}

function nextParts({ text, commands }: NextStep): string[] {
  return [
    htmlParagraph(text),
    ...commands.map((command) => `<p><code>${escapeHtml(command)}</code></p>`),
  ];
}

function headSection(document: CheckDocument): string[] {
  const { tone, text, next } = verdictOf(document);
  const { problems, warnings, notes, pools, blocks, allocations } = document.summary;
  return [
    `<p class="verdict ${tone}">${escapeHtml(text)}</p>`,
    ...(next === undefined ? [] : nextParts(next)),
    htmlParagraph(
      `Check of ${sourceText(document.source)} at ${document.checkedAt}. ${scopeText(document)}`,
    ),
    ...(document.datastoreLocked
      ? [
          htmlParagraph(
            'The datastore is locked: Calico assigns nothing until it is unlocked.',
            'note',
          ),
        ]
      : []),
    tiles([
      ['problems', problems],
      ['warnings', warnings],
      ['notes', notes],
      ['pools', pools],
      ['blocks', blocks],
      ['allocations', allocations],
    ]),
  ];
}

function summarySection(groups: readonly FindingGroup[], rules: RuleTexts): string[] {
  if (groups.length === 0) return [];
  const table = htmlTable({
    columns: [
      { header: 'CODE' },
      { header: 'SEVERITY' },
      { header: 'FINDINGS', align: 'right' },
      { header: 'RELEASABLE', align: 'right' },
      { header: 'MEANING' },
    ],
    rows: groups.map((group) => {
      const tone = SEVERITIES.find(({ severity }) => severity === group.severity)?.tone ?? 'note';
      const code = escapeHtml(group.code);
      return [
        { markup: `<a href="#code-${code}">${code}</a>` },
        { markup: htmlCell({ text: group.severity, tone }) },
        groupDigits(group.findings.length),
        groupDigits(group.releasable),
        rules[group.code]?.title ?? '',
      ];
    }),
  });
  return ['<h2 id="summary">Summary</h2>', table];
}

function notEvaluatedSection({ notEvaluated }: CheckDocument): string[] {
  if (notEvaluated.length === 0) return [];
  return [
    '<h2 id="not-evaluated">Not evaluated, or in part only</h2>',
    htmlTable({
      columns: [{ header: 'CODE' }, { header: 'NOT READ' }],
      rows: notEvaluated.map(({ code, missing }) => [code, missing.join(', ')]),
    }),
  ];
}
