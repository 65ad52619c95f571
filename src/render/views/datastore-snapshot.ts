import type { DatastoreSnapshotDocument } from '../../operations/documents/datastore-snapshot-document.ts';
import { countOf, groupDigits } from '../numbers.ts';
import { printable } from '../printable.ts';
import type { Surface, View } from '../view.ts';
import { commandLines, wrapText } from '../wrap.ts';
import { shellWord, sourceText } from './source.ts';

const REDACTIONS = { names: 'Names are replaced.', all: 'Names and addresses are replaced.' };

/** What a snapshot holds, and where it is. */
export const datastoreSnapshotView: View<DatastoreSnapshotDocument> = { text: snapshotText };

function snapshotText(document: DatastoreSnapshotDocument, surface: Surface): string {
  const { width, theme } = surface;
  const { counts, notInstalled, notHeld, redacted, sha256 } = document;
  const lines = wrapText(printable(headText(document)), { width }).map(theme.heading);
  const kindWidth = Math.max(0, ...counts.map(({ kind }) => kind.length));
  const digits = Math.max(0, ...counts.map(({ count }) => groupDigits(count).length));
  for (const { kind, count } of counts)
    lines.push(`  ${kind.padEnd(kindWidth)}  ${groupDigits(count).padStart(digits)}`);
  const notes = [
    notInstalled.length > 0 ? `Not installed: ${notInstalled.join(', ')}.` : '',
    notHeld.length > 0 ? `The source says nothing of ${notHeld.join(', ')}.` : '',
    redacted === undefined ? '' : REDACTIONS[redacted],
    sha256 === undefined ? '' : `SHA-256 ${sha256}`,
  ];
  lines.push(...notes.filter(Boolean).flatMap((note) => wrapText(note, { width })));
  return [...lines, ...nextLines(document, surface)].join('\n');
}

function nextLines(
  { written, file }: DatastoreSnapshotDocument,
  surface: Surface,
): readonly string[] {
  if (!written || file === '-') return [];
  return commandLines('Look at it:', `ipamctl ipam check --snapshot ${shellWord(file)}`, surface);
}

function headText({ source, file, written, bytes, counts }: DatastoreSnapshotDocument): string {
  const rows = countOf(
    counts.reduce((sum, { count }) => sum + count, 0),
    'object',
  );
  const place = file === '-' ? 'standard output' : file;
  if (!written) return `${rows} of ${sourceText(source)}; nothing was written to ${place}.`;
  return `${rows} of ${sourceText(source)} written to ${place} (${countOf(bytes ?? 0, 'byte')}).`;
}
