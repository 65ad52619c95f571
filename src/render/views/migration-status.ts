import type {
  MigrationStatusDocument,
  ReadSide,
  StatusSide,
  UnreadSide,
} from '../../operations/documents/migration-status-document.ts';
import { printable } from '../printable.ts';
import type { Surface, View } from '../view.ts';
import { wrapText } from '../wrap.ts';
import { hintLines } from './error.ts';
import { sourceText } from './source.ts';

const NOTHING_WAITS = 'Nothing to do: no import, split or renaming is unfinished.';

/** `datastore migrate status`. */
export const migrationStatusView: View<MigrationStatusDocument> = { text: statusText };

function statusText({ sides }: MigrationStatusDocument, surface: Surface): string {
  return sides
    .flatMap((side, at) => [...(at > 0 ? [''] : []), ...sideLines(side, surface)])
    .join('\n');
}

function sideLines(side: StatusSide, surface: Surface): readonly string[] {
  return 'error' in side ? unreadLines(side, surface) : readLines(side, surface);
}

function unreadLines({ source, error }: UnreadSide, { theme, width }: Surface): readonly string[] {
  const head = `${sourceText(source)}: cannot be read`;
  return [
    ...wrapText(printable(head), { width }).map(theme.problem),
    ...wrapText(printable(error.message), { width, first: '  ' }),
    ...hintLines(error.hint, width),
  ];
}

function readLines(side: ReadSide, { theme, width }: Surface): readonly string[] {
  const head = `${sourceText(side.source)}: ${stateText(side)}`;
  // What is not finished waits for somebody, and stands there with the way out.
  const finished = side.marks.flatMap(({ what, finished, says }) =>
    finished ? `${what}, finished: ${says}` : [],
  );
  return [
    ...wrapText(printable(head), { width }).map(theme.heading),
    ...[...finished, ...side.waiting].flatMap((text) =>
      wrapText(printable(text), { width, first: '  - ' }),
    ),
    ...(side.waiting.length === 0 ? wrapText(NOTHING_WAITS, { width }) : []),
  ];
}

function stateText({ initialized, locked, datastoreReady }: ReadSide): string {
  if (!initialized) return 'not initialized, not locked';
  if (locked) return 'locked';
  return datastoreReady === undefined ? 'not locked (the flag was never set)' : 'not locked';
}
