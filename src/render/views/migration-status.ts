import type {
  MigrationStatusDocument,
  StatusSide,
} from '../../operations/documents/migration-status-document.ts';
import { printable } from '../printable.ts';
import type { Surface, View } from '../view.ts';
import { wrapText } from '../wrap.ts';
import { sourceText } from './source.ts';

/** `datastore migrate status`. */
export const migrationStatusView: View<MigrationStatusDocument> = { text: statusText };

function statusText({ sides }: MigrationStatusDocument, surface: Surface): string {
  return sides
    .flatMap((side, at) => [...(at > 0 ? [''] : []), ...sideLines(side, surface)])
    .join('\n');
}

function sideLines(side: StatusSide, { theme, width }: Surface): readonly string[] {
  const head = `${sourceText(side.source)}: ${stateText(side)}`;
  const marks = side.marks.map(
    ({ what, finished, says }) => `${what}, ${finished ? 'finished' : 'not finished'}: ${says}`,
  );
  return [
    ...wrapText(printable(head), { width }).map(theme.heading),
    ...marks.flatMap((text) => wrapText(printable(text), { width, first: '  - ' })),
    ...side.waiting.flatMap((text) => wrapText(printable(text), { width })),
    ...(side.waiting.length === 0 ? ['Nothing waits.'] : []),
  ];
}

function stateText({ initialized, locked, datastoreReady }: StatusSide): string {
  if (!initialized) return 'not initialized, not locked';
  if (locked) return 'locked';
  return datastoreReady === undefined ? 'not locked (the flag was never set)' : 'not locked';
}
