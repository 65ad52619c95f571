import type {
  ItemResult,
  OutcomeDocument,
  OutcomeItem,
} from '../../operations/documents/outcome-document.ts';
import { groupDigits } from '../numbers.ts';
import { printable } from '../printable.ts';
import type { Tone } from '../theme.ts';
import type { Surface, View } from '../view.ts';
import { wrapText } from '../wrap.ts';
import { changeLines, subjectText } from './changes.ts';
import { sourceText } from './source.ts';

/** Items of one result that the text lists one by one; the document has them all. */
const SHOWN = 20;

const TONES: Readonly<Record<Exclude<ItemResult, 'applied'>, Tone>> = {
  failed: 'problem',
  skipped: 'warning',
  already: 'muted',
};

/** What a command that writes has done. */
export const outcomeView: View<OutcomeDocument> = { text: outcomeText };

function outcomeText(document: OutcomeDocument, surface: Surface): string {
  const { theme, width } = surface;
  const { applied, already, skipped, failed } = document.totals;
  const head = `${document.command} on ${sourceText(document.source)}: ${groupDigits(applied)} applied, ${groupDigits(already)} already so, ${groupDigits(skipped)} left alone, ${groupDigits(failed)} failed.`;
  const lines = wrapText(printable(head), { width }).map(theme.heading);
  const done = document.items.filter(({ result }) => result === 'applied');
  if (done.length > 0) lines.push('', ...changeLines(done, surface));
  for (const result of ['failed', 'skipped', 'already'] as const) {
    lines.push(
      ...resultLines(
        document.items.filter((item) => item.result === result),
        result,
        surface,
      ),
    );
  }
  for (const note of document.notes) lines.push('', ...wrapText(printable(note), { width }));
  if (document.undoFile !== undefined && applied > 0)
    lines.push('', ...wrapText(undoText(document.undoFile), { width }));
  if (document.items.length === 0) lines.push('', 'There was nothing to write.');
  return lines.join('\n');
}

function undoText(file: string): string {
  return `To take it back: ipamctl ipam restore ${printable(file)}`;
}

function resultLines(
  items: readonly OutcomeItem[],
  result: Exclude<ItemResult, 'applied'>,
  { theme, width }: Surface,
): readonly string[] {
  if (items.length === 0) return [];
  const titles = { failed: 'Failed:', skipped: 'Left alone:', already: 'Already so:' };
  const shown = items.slice(0, SHOWN).flatMap(({ subject, reason, error }) =>
    wrapText(printable(`${subjectText(subject)}: ${error?.message ?? reason}`), {
      width,
      first: '  - ',
    }),
  );
  const rest = items.length > SHOWN ? [`  ... and ${groupDigits(items.length - SHOWN)} more`] : [];
  return ['', theme[TONES[result]](theme.heading(titles[result])), ...shown, ...rest];
}
