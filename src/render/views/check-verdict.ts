import type { CheckDocument } from '../../operations/documents/check-document.ts';
import { countOf, groupDigits } from '../numbers.ts';
import type { Tone } from '../theme.ts';
import { enumerate, joined } from './counts.ts';
import { shellWord, sourceFlags } from './source.ts';

/** What was looked at, in one sentence. */
export function scopeText({ summary }: CheckDocument): string {
  const { handles } = summary;
  return (
    `Looked at ${countOf(summary.pools, 'pool')}, ${countOf(summary.blocks, 'block')} and ` +
    `${countOf(summary.allocations, 'allocation')}${coolingText(summary)}. ${carriedText(summary)} ` +
    `Handles: ${groupDigits(handles.matched)} matched, ${groupDigits(handles.orphan)} orphan, ` +
    `${groupDigits(handles.missing)} missing.`
  );
}

function carriedText({ inUse }: CheckDocument['summary']): string {
  const uses: readonly (readonly [number, string])[] = [
    [inUse.workload, 'workload'],
    [inUse.tunnel, 'tunnel'],
    [inUse.service, 'Service'],
    [inUse.virtualMachine, 'virtual machine'],
  ];
  const texts = uses
    .filter(([count]) => count > 0)
    .map(([count, noun]) => `${groupDigits(count)} ${noun}`);
  if (texts.length === 0) return 'Nothing alive carries an address.';
  const total = uses.reduce((sum, [count]) => sum + count, 0);
  return `Carried by something alive: ${joined(texts)} ${total === 1 ? 'address' : 'addresses'}.`;
}

function coolingText({ cooling }: CheckDocument['summary']): string {
  return cooling === 0 ? '' : ` (${groupDigits(cooling)} cooling)`;
}

/** Result and next step, in sentences; the last thing that a reader sees. */
export interface Verdict {
  readonly tone: Tone;
  readonly text: string;
  readonly next: NextStep | undefined;
}

/** What to do next. */
export interface NextStep {
  readonly text: string;
  /** What to run, in this order, safe to print; none where the text says all. */
  readonly commands: readonly string[];
}

/** Sums the document up. `reportFile` is where the report of the same look was written. */
export function verdictOf(document: CheckDocument, reportFile?: string): Verdict {
  const next = nextStep(document, reportFile);
  const { problems, warnings, notes } = document.summary;
  const skipped = document.notEvaluated.length;
  const limit = `${askedText(document)}${skipped === 0 ? '' : ' in what could be judged'}`;
  if (document.findings.length === 0) return { ...cleanVerdict(document, limit), next };
  const text =
    problems === 0
      ? `No problems found${limit}, but ${enumerate([
          [warnings, 'warning'],
          [notes, 'note'],
        ])}.`
      : `${enumerate([
          [problems, 'problem'],
          [warnings, 'warning'],
          [notes, 'note'],
        ])} found${askedText(document)}.`;
  return { tone: toneOf(document), text, next };
}

/** What a check by some rules says, it does not say of the rest. */
function askedText({ judgedCodes }: CheckDocument): string {
  if (judgedCodes === undefined) return '';
  return judgedCodes.length === 1
    ? ` by the one rule asked for (${judgedCodes[0] ?? ''})`
    : ` by the ${judgedCodes.length} rules asked for`;
}

function toneOf({ summary }: CheckDocument): Tone {
  if (summary.problems > 0) return 'problem';
  return summary.warnings > 0 ? 'warning' : 'ok';
}

function cleanVerdict(
  { summary, notEvaluated, judgedCodes }: CheckDocument,
  limit: string,
): { tone: Tone; text: string } {
  const tone = notEvaluated.length === 0 ? 'ok' : 'warning';
  if (judgedCodes !== undefined) return { tone, text: `No problems found${limit}.` };
  const subject =
    summary.allocations === 0
      ? 'there are no allocations'
      : `${countOf(summary.allocations, 'allocation')} in ${countOf(summary.blocks, 'block')} agree with all that was read`;
  return { tone, text: `No problems found${limit}: ${subject}.` };
}

function releaseStep(
  { source, findings }: CheckDocument,
  reportFile: string | undefined,
): NextStep {
  const releasable = findings.filter((finding) => finding.releasable).length;
  const flags = sourceFlags(source);
  const file = shellWord(reportFile ?? 'report.json');
  const release = `ipamctl ipam release --from-report ${file}${flags}`;
  return {
    text: `Next: ${countOf(releasable, 'finding')} can be cleared by a release, which looks again before it writes; --dry-run shows its plan:`,
    commands:
      reportFile === undefined
        ? [`ipamctl ipam check --output ${file}${flags}`, release]
        : [release],
  };
}

function nextStep(document: CheckDocument, reportFile: string | undefined): NextStep | undefined {
  if (document.findings.some((finding) => finding.releasable))
    return releaseStep(document, reportFile);
  const [first] = document.findings;
  if (first)
    return {
      text: 'Next: follow the remedies above. More about one of them:',
      commands: [`ipamctl ipam check --explain ${first.code}`],
    };
  if (document.notEvaluated.length === 0) {
    if (document.judgedCodes !== undefined) return undefined;
    return {
      text: 'Whether there is room for more is another question:',
      commands: [`ipamctl ipam show${sourceFlags(document.source)}`],
    };
  }
  const way =
    document.source.datastore === 'snapshot'
      ? 'add the missing kinds to the snapshot'
      : 'make the missing kinds readable';
  return { text: `Next: ${way} and check again, or accept it with --allow-partial.`, commands: [] };
}
