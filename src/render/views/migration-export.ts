import type {
  ExportRefusal,
  MigrationExportDocument,
} from '../../operations/documents/migration-export-document.ts';
import { countOf, groupDigits } from '../numbers.ts';
import { printable } from '../printable.ts';
import type { Column, TableSpec } from '../table-spec.ts';
import type { Surface, View } from '../view.ts';
import { commandLines, wrapText } from '../wrap.ts';
import { bulletLines, type ListOptions, type ListSpec, noteLines } from './item-lists.ts';
import { shellWord, sourceText } from './source.ts';

/** Refusals and renamed nodes that the text lists one by one; the document has them all. */
const SHOWN = 50;

/** `datastore migrate export`. */
export function migrationExportView(options: ListOptions = {}): View<MigrationExportDocument> {
  return { text: (document, surface) => exportText(document, { surface, ...options }) };
}

function exportText(document: MigrationExportDocument, spec: ListSpec): string {
  const { surface } = spec;
  const { theme, width } = surface;
  const section = (title: string, texts: readonly string[]): readonly string[] =>
    texts.length === 0 ? [] : ['', theme.heading(title), ...bulletLines(texts, SHOWN, spec)];
  const renamed = document.nodes.filter(({ from, to }) => from !== to);
  return [
    ...wrapText(printable(headOf(document)), { width }).map(theme.heading),
    ...refusalLines(document.refusals, spec),
    '',
    surface.table(countTable(document)),
    ...section(
      'Nodes under another name:',
      renamed.map(({ from, to }) => `${from} is ${to} in Kubernetes`),
    ),
    ...section('Nodes left out:', document.skippedNodes),
    ...section(
      'Old forms:',
      document.healed.map(({ count, what }) => `${groupDigits(count)} x ${what}`),
    ),
    ...noteLines(document.notes, surface),
    ...nextLines(document, surface),
  ].join('\n');
}

/** Kinds of which there is something; what is left out only where anything is. */
function countTable({ counts, leftOut, written }: MigrationExportDocument): TableSpec {
  const kinds = [...new Set([...Object.keys(counts), ...Object.keys(leftOut)])];
  const isAnyOut = Object.values(leftOut).some((count) => count > 0);
  const rows = kinds
    .map((kind) => [kind, counts[kind] ?? 0, leftOut[kind] ?? 0] as const)
    .filter(([, inFile, out]) => inFile > 0 || out > 0)
    .map(([kind, inFile, out]) => [
      kind,
      groupDigits(inFile),
      ...(isAnyOut ? [groupDigits(out)] : []),
    ]);
  const columns: readonly Column[] = [
    { header: 'KIND' },
    { header: written ? 'IN THE FILE' : 'TO EXPORT', align: 'right' },
    ...(isAnyOut ? [{ header: 'LEFT OUT', align: 'right' } as const] : []),
  ];
  return { columns, rows };
}

function headOf({ source, written, file, refusals, nodes }: MigrationExportDocument): string {
  const from = sourceText(source);
  if (refusals.length > 0)
    return `Nothing of ${from} was exported: ${countOf(refusals.length, 'refusal')}.`;
  const what = `${from} with ${countOf(nodes.length, 'node')}`;
  if (file === undefined) return `Plan: ${what} can be exported.`;
  if (!written) return `Not the whole of ${what} was exported.`;
  return `Exported ${what} to ${file === '-' ? 'standard output' : file}.`;
}

function nextLines(
  { written, file }: MigrationExportDocument,
  surface: Surface,
): readonly string[] {
  if (!written || file === undefined || file === '-') return [];
  const command = `ipamctl datastore migrate import --filename ${shellWord(file)} --dry-run`;
  return ['', ...commandLines('Next, on the side of Kubernetes:', command, surface)];
}

function refusalLines(refusals: readonly ExportRefusal[], spec: ListSpec): readonly string[] {
  if (refusals.length === 0) return [];
  const { theme } = spec.surface;
  const texts = refusals.map(({ subject, reason }) => `${subject} ${reason}`);
  return [
    '',
    theme.problem(theme.heading(`Refused: ${groupDigits(refusals.length)}`)),
    ...bulletLines(texts, SHOWN, spec),
  ];
}
