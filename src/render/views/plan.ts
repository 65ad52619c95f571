import type { PlanDocument } from '../../operations/documents/plan-document.ts';
import { groupDigits } from '../numbers.ts';
import { printable } from '../printable.ts';
import type { Surface, View } from '../view.ts';
import { wrapText } from '../wrap.ts';
import { changeLines, subjectText } from './changes.ts';
import { sourceText } from './source.ts';

/** Items of one sort that the text lists; the document has them all. */
const SHOWN_KEPT = 20;

/** `--dry-run`, and what is shown before the user is asked. */
export const planView: View<PlanDocument> = { text: planText };

function planText(document: PlanDocument, surface: Surface): string {
  const { theme, width } = surface;
  const { planned, already, skipped } = document.totals;
  const head = `Plan of ${document.command} for ${sourceText(document.source)}: ${groupDigits(planned)} to apply, ${groupDigits(already)} already so, ${groupDigits(skipped)} left alone.`;
  const lines = wrapText(printable(head), { width }).map(theme.heading);
  if (planned > 0) lines.push('', ...changeLines(document.items, surface));
  if (document.kept.length > 0)
    lines.push('', theme.heading('Left alone:'), ...keptLines(document, surface));
  for (const note of document.notes) lines.push('', ...wrapText(printable(note), { width }));
  if (planned === 0) lines.push('', 'There is nothing to write.');
  return lines.join('\n');
}

function keptLines({ kept }: PlanDocument, { width }: Surface): readonly string[] {
  const shown = kept.slice(0, SHOWN_KEPT);
  const lines = shown.flatMap(({ subject, reason }) =>
    wrapText(printable(`${subjectText(subject)}: ${reason}`), { width, first: '  - ' }),
  );
  return kept.length > shown.length
    ? [...lines, `  ... and ${groupDigits(kept.length - shown.length)} more`]
    : lines;
}
