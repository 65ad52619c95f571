import type { Finding } from '../../check/finding.ts';
import { cutNote, escapeHtml, htmlCell, htmlParagraph } from '../html.ts';
import { groupDigits } from '../numbers.ts';
import {
  type FindingGroup,
  type RuleTexts,
  SEVERITIES,
  subjectText,
} from '../views/check-groups.ts';

/** Findings that a page shows at most; each code gets its share. */
const MOST_FINDINGS = 20_000;
/** Names of nodes that the filter offers. */
const MOST_NODES = 2000;

/** The form that filters, then the findings by severity and code. */
export function findingsSection(groups: readonly FindingGroup[], rules: RuleTexts): string[] {
  if (groups.length === 0) return [];
  const shares = shareOut(
    groups.map(({ findings }) => findings.length),
    MOST_FINDINGS,
  );
  const shown = groups.map((group, i) => ({ group, count: shares[i] ?? 0 }));
  return [
    '<h2 id="findings">Findings</h2>',
    // The form stays in sight as long as findings do.
    '<div>',
    ...filterForm(groups),
    ...SEVERITIES.flatMap(({ severity }) =>
      shown
        .filter(({ group }) => group.severity === severity)
        .flatMap(({ group, count }) => groupSection(group, rules, count)),
    ),
    '</div>',
  ];
}

/** Divides room fairly: who needs less than an equal part leaves the rest to the others. */
export function shareOut(wanted: readonly number[], room: number): readonly number[] {
  const shares = wanted.map(() => 0);
  const order = wanted.map((count, i) => ({ count, i })).sort((a, b) => a.count - b.count);
  let left = room;
  for (const [at, { count, i }] of order.entries()) {
    const share = Math.min(count, Math.floor(left / (order.length - at)));
    shares[i] = share;
    left -= share;
  }
  return shares;
}

/** Shown by its script only: without one it could do nothing, and every finding is shown. */
function filterForm(groups: readonly FindingGroup[]): string[] {
  const severities = SEVERITIES.filter(({ severity }) =>
    groups.some((group) => group.severity === severity),
  );
  return [
    '<form class="filter" hidden>',
    select(
      'severity',
      'Severity',
      severities.map(({ severity }) => severity),
    ),
    select(
      'code',
      'Code',
      groups.map(({ code }) => code),
    ),
    '<label>Node <input name="node" list="node-names" autocomplete="off" placeholder="any"></label>',
    '<label>Text <input name="text" type="search" autocomplete="off" placeholder="address, pod, reason"></label>',
    ...(groups.some(({ releasable }) => releasable > 0)
      ? ['<label><input name="releasable" type="checkbox"> releasable only</label>']
      : []),
    '<button type="reset">Reset</button> <output aria-live="polite"></output>',
    `<datalist id="node-names">${nodeOptions(groups)}</datalist>`,
    '</form>',
  ];
}

function select(name: string, label: string, values: readonly string[]): string {
  const options = values.map((value) => `<option>${escapeHtml(value)}</option>`).join('');
  return `<label>${label} <select name="${name}"><option value="">all</option>${options}</select></label>`;
}

function nodeOptions(groups: readonly FindingGroup[]): string {
  const names = new Set(groups.flatMap(({ findings }) => findings.flatMap(nodeOf)));
  return [...names]
    .sort()
    .slice(0, MOST_NODES)
    .map((name) => `<option value="${escapeHtml(name)}"></option>`)
    .join('');
}

function nodeOf({ subject }: Finding): string[] {
  const name = subject.node ?? (subject.kind === 'Node' ? subject.name : undefined);
  return name === undefined ? [] : [name];
}

function groupSection(group: FindingGroup, rules: RuleTexts, count: number): string[] {
  const title = rules[group.code]?.title;
  const [first, ...others] = group.remedies;
  const common = others.length === 0 ? first?.text : undefined;
  const tone = SEVERITIES.find(({ severity }) => severity === group.severity)?.tone ?? 'note';
  const code = escapeHtml(group.code);
  return [
    `<section class="group" id="code-${code}" data-code="${code}" data-severity="${group.severity}">`,
    `<h3>${code}: <span class="count">${groupDigits(group.findings.length)}</span> ${htmlCell({ text: group.severity, tone })}</h3>`,
    ...(title === undefined ? [] : [htmlParagraph(title)]),
    ...(common === undefined ? [] : [`<p>Remedy: ${remedyMarkup(common)}</p>`]),
    '<table class="findings"><thead><tr><th scope="col">SUBJECT</th><th scope="col">NODE</th><th scope="col">REASON</th><th scope="col">RELEASE</th></tr></thead><tbody>',
    ...group.findings.slice(0, count).map((finding) => findingRow(finding, common)),
    '</tbody></table>',
    ...cutNote(count, group.findings.length),
    '</section>',
  ];
}

function findingRow(finding: Finding, common: string | undefined): string {
  const [node = ''] = nodeOf(finding).map(escapeHtml);
  const remedy =
    common === undefined ? `<br><span class="muted">${remedyMarkup(finding.remedy)}</span>` : '';
  const data = `${node === '' ? '' : ` data-node="${node}"`}${finding.releasable ? ' data-releasable' : ''}`;
  return `<tr${data}><td>${escapeHtml(subjectText(finding.subject))}</td><td>${node}</td><td>${escapeHtml(finding.reason)}${remedy}</td><td>${finding.releasable ? 'releasable' : ''}</td></tr>`;
}

/** Commands stand between backticks in the texts of rules. */
function remedyMarkup(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}
