import type { Finding, Severity } from '../../check/finding.ts';
import type { CheckAddress, CheckDocument } from '../../operations/documents/check-document.ts';
import { calledAs } from '../called-as.ts';
import { groupDigits } from '../numbers.ts';
import { printable } from '../printable.ts';
import type { Tone } from '../theme.ts';
import type { Surface, View } from '../view.ts';
import { wrapText } from '../wrap.ts';
import { addressTable } from './check-addresses.ts';
import { type FindingGroup, groupFindings, type RuleTexts, SEVERITIES } from './check-groups.ts';
import { checkPage } from './check-page.ts';
import { type NextStep, scopeText, verdictOf } from './check-verdict.ts';
import { sourceText } from './source.ts';

/** How much of a check its text shows. */
export interface CheckViewOptions {
  /** What to say of a rule in general, by its code. */
  readonly rules: RuleTexts;
  /** Where the report of the same look was written. */
  readonly reportFile?: string | undefined;
  /** Every finding instead of the first few of each code. */
  readonly isComplete?: boolean | undefined;
}

/** Findings of a code that are shown unless all were asked for. */
const SHOWN_FINDINGS = 10;
/** Up to so many different remedies of a code are shown below its findings. */
const SHOWN_REMEDIES = 2;

/** `ipam check`: the verdict, findings by severity and code, what could not be judged, the verdict again, and what to do next. */
export function checkView(options: CheckViewOptions): View<CheckDocument> {
  return {
    text: (document, surface) => checkText(document, surface, options),
    html: (document) => checkPage(document, options.rules),
  };
}

function checkText(document: CheckDocument, surface: Surface, options: CheckViewOptions): string {
  const groups = groupFindings(document);
  const details = [
    ...SEVERITIES.map((entry) => severityLines(groups, entry, { surface, options })),
    notEvaluatedLines(document, surface),
    document.addresses ? addressLines(document.addresses, surface) : [],
  ].filter((lines) => lines.length > 0);
  const { next } = verdictOf(document, options.reportFile);
  const end = [
    // Whoever comes to the end of a long text has the head of it no longer in sight.
    ...(details.length > 0 ? verdictLines(document, surface) : []),
    ...(next === undefined ? [] : nextLines(next, surface)),
  ];
  const head = [...verdictLines(document, surface), ...headLines(document, surface)];
  return [head, ...details, end]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function nextLines({ text, commands }: NextStep, { width, program }: Surface): string[] {
  return [
    ...wrapText(text, { width }),
    // Never broken, so that they can be copied.
    ...commands.map((command) => `  ${calledAs(command, program)}`),
  ];
}

function headLines(document: CheckDocument, { width, theme }: Surface): string[] {
  const lines = wrapText(
    printable(`Check of ${sourceText(document.source)} at ${document.checkedAt}.`),
    { width },
  );
  lines.push(...wrapText(scopeText(document), { width }));
  if (document.datastoreLocked) {
    lines.push(
      ...wrapText('The datastore is locked: Calico assigns nothing until it is unlocked.', {
        width,
      }).map(theme.note),
    );
  }
  return lines;
}

/** Surface and options together, as most parts need both. */
interface Drawing {
  readonly surface: Surface;
  readonly options: CheckViewOptions;
}

function severityLines(
  groups: readonly FindingGroup[],
  { severity, title, tone }: { severity: Severity; title: string; tone: Tone },
  drawing: Drawing,
): string[] {
  const own = groups.filter((group) => group.severity === severity);
  if (own.length === 0) return [];
  const count = own.reduce((sum, group) => sum + group.findings.length, 0);
  const { theme } = drawing.surface;
  return [
    theme[tone](theme.heading(`${title}: ${groupDigits(count)}`)),
    ...own.flatMap((group) => groupLines(group, drawing)),
  ];
}

function groupLines(group: FindingGroup, { surface, options }: Drawing): string[] {
  const { width, theme } = surface;
  const total = group.findings.length;
  const shown = options.isComplete ? total : Math.min(total, SHOWN_FINDINGS);
  const title = options.rules[group.code]?.title;
  const head = `${group.code}: ${groupDigits(total)}${releasableText(group)}`;
  return [
    '',
    ...wrapText(head, { width, first: '  ' }).map(theme.heading),
    ...(title === undefined ? [] : wrapText(title, { width, first: '  ' }).map(theme.muted)),
    ...group.findings
      .slice(0, shown)
      .flatMap((finding) => findingLines(finding, group, { surface, options })),
    ...(shown < total
      ? wrapText(`... and ${groupDigits(total - shown)} more; --show-problem-ips lists all`, {
          width,
          first: '    ',
        })
      : []),
    ...remedyLines(group, { surface, options }),
  ];
}

function releasableText({ releasable, findings }: FindingGroup): string {
  if (releasable === 0) return '';
  return releasable === findings.length
    ? ' (releasable)'
    : ` (${groupDigits(releasable)} releasable)`;
}

/** The reason names its subject. Where remedies differ much, each finding of a complete list carries its own. */
function findingLines(
  finding: Finding,
  { remedies }: FindingGroup,
  { surface: { width }, options }: Drawing,
): string[] {
  const lines = wrapText(printable(finding.reason), { width, first: '    - ' });
  if (!options.isComplete || remedies.length <= SHOWN_REMEDIES) return lines;
  return [...lines, ...wrapText(printable(finding.remedy), { width, first: '      Remedy: ' })];
}

/** The remedies once for all findings: as they are while they are few, else the general one of the rule. */
function remedyLines(
  { code, remedies }: FindingGroup,
  { surface: { width, program }, options }: Drawing,
): string[] {
  const line = (text: string, label: string): string[] =>
    wrapText(printable(text), { width, first: `    ${label}: ` });
  if (remedies.length <= SHOWN_REMEDIES) {
    const isOnly = remedies.length === 1;
    return remedies.flatMap(({ text, count }) =>
      line(text, isOnly ? 'Remedy' : `Remedy for ${groupDigits(count)}`),
    );
  }
  const general = options.rules[code]?.remedy;
  return options.isComplete || general === undefined
    ? []
    : line(calledAs(general, program), 'Remedy');
}

function notEvaluatedLines({ notEvaluated }: CheckDocument, { width, theme }: Surface): string[] {
  if (notEvaluated.length === 0) return [];
  // Rules that lack the same kinds share a line.
  const byMissing = new Map<string, string[]>();
  for (const { code, missing } of notEvaluated) {
    const kinds = missing.join(', ');
    byMissing.set(kinds, [...(byMissing.get(kinds) ?? []), code]);
  }
  return [
    theme.warning(theme.heading('Not evaluated, or in part only')),
    ...[...byMissing].flatMap(([kinds, codes]) =>
      wrapText(`${codes.join(', ')}: ${kinds} not read`, { width, first: '  - ' }),
    ),
  ];
}

function addressLines(addresses: readonly CheckAddress[], surface: Surface): string[] {
  if (addresses.length === 0) return ['No addresses are allocated.'];
  return [surface.theme.heading('Allocated addresses'), surface.table(addressTable(addresses))];
}

function verdictLines(document: CheckDocument, { width, theme }: Surface): string[] {
  const { tone, text } = verdictOf(document);
  return wrapText(text, { width }).map((line) => theme[tone](theme.heading(line)));
}
