import type { CheckDocument } from '../../operations/documents/check-document.ts';
import { countOf, groupDigits } from '../numbers.ts';
import type { Tone } from '../theme.ts';
import { enumerate, joined } from './counts.ts';

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
  return `Carried by something alive: ${joined(texts)} addresses.`;
}

function coolingText({ cooling }: CheckDocument['summary']): string {
  return cooling === 0 ? '' : ` (${groupDigits(cooling)} cooling)`;
}

/** Result and next step, in sentences; the last thing that a reader sees. */
export interface Verdict {
  readonly tone: Tone;
  readonly text: string;
  readonly next: string | undefined;
}

/** Sums the document up. `reportFile` is where the report of the same look was written. */
export function verdictOf(document: CheckDocument, reportFile?: string): Verdict {
  const next = nextStep(document, reportFile);
  const { problems, warnings, notes } = document.summary;
  const skipped = document.notEvaluated.length;
  const limit = skipped === 0 ? '' : ' in what could be judged';
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
        ])} found.`;
  return { tone: toneOf(document), text, next };
}

function toneOf({ summary }: CheckDocument): Tone {
  if (summary.problems > 0) return 'problem';
  return summary.warnings > 0 ? 'warning' : 'ok';
}

function cleanVerdict(
  { summary, notEvaluated }: CheckDocument,
  limit: string,
): { tone: Tone; text: string } {
  const subject =
    summary.allocations === 0
      ? 'there are no allocations'
      : `${countOf(summary.allocations, 'allocation')} in ${countOf(summary.blocks, 'block')} agree with all that was read`;
  return {
    tone: notEvaluated.length === 0 ? 'ok' : 'warning',
    text: `No problems found${limit}: ${subject}.`,
  };
}

function releaseStep(releasable: number, reportFile: string | undefined): string {
  const what = `Next: ${countOf(releasable, 'finding')} can be cleared by a release, which looks again before it writes: `;
  if (reportFile !== undefined) return `${what}ipamctl ipam release --from-report ${reportFile}`;
  return `${what}write a report with ipamctl ipam check --output FILE, then ipamctl ipam release --from-report FILE.`;
}

function nextStep(document: CheckDocument, reportFile: string | undefined): string | undefined {
  const releasable = document.findings.filter((finding) => finding.releasable).length;
  if (releasable > 0) return releaseStep(releasable, reportFile);
  const [first] = document.findings;
  if (first)
    return `Next: follow the remedies above; ipamctl ipam check --explain ${first.code} says more.`;
  if (document.notEvaluated.length === 0) return undefined;
  const way =
    document.source.datastore === 'snapshot'
      ? 'add the missing kinds to the snapshot'
      : 'make the missing kinds readable';
  return `Next: ${way} and check again, or accept it with --allow-partial.`;
}
