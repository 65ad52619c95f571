import type {
  ExportRefusal,
  MigrationExportDocument,
} from '../../operations/documents/migration-export-document.ts';
import { countOf, groupDigits } from '../numbers.ts';
import { printable } from '../printable.ts';
import type { Surface, View } from '../view.ts';
import { wrapText } from '../wrap.ts';
import { sourceText } from './source.ts';

/** Refusals and renamed nodes that the text lists one by one; the document has them all. */
const SHOWN = 50;

/** `datastore migrate export`. */
export const migrationExportView: View<MigrationExportDocument> = { text: exportText };

function exportText(document: MigrationExportDocument, surface: Surface): string {
  const { theme, width } = surface;
  const lines = wrapText(printable(headOf(document)), { width }).map(theme.heading);
  lines.push('', surface.table({ columns: COLUMNS, rows: countRows(document) }));
  const renamed = document.nodes.filter(({ from, to }) => from !== to);
  if (renamed.length > 0) {
    const names = renamed.map(({ from, to }) => `${from} is ${to} in Kubernetes`);
    lines.push('', theme.heading('Nodes under another name:'), ...bullets(names, surface));
  }
  if (document.skippedNodes.length > 0) {
    lines.push('', theme.heading('Nodes left out:'), ...bullets(document.skippedNodes, surface));
  }
  if (document.healed.length > 0) {
    const healed = document.healed.map(({ count, what }) => `${groupDigits(count)} x ${what}`);
    lines.push('', theme.heading('Old forms:'), ...bullets(healed, surface));
  }
  for (const note of document.notes) lines.push('', ...wrapText(printable(note), { width }));
  lines.push(...refusalLines(document.refusals, surface));
  return lines.join('\n');
}

const COLUMNS = [
  { header: 'KIND' },
  { header: 'IN THE FILE', align: 'right' },
  { header: 'LEFT OUT', align: 'right' },
] as const;

function countRows({ counts, leftOut }: MigrationExportDocument): readonly (readonly string[])[] {
  const kinds = new Set([...Object.keys(counts), ...Object.keys(leftOut)]);
  return [...kinds]
    .map((kind) => [kind, counts[kind] ?? 0, leftOut[kind] ?? 0] as const)
    .filter(([, inFile, out]) => inFile > 0 || out > 0)
    .map(([kind, inFile, out]) => [kind, groupDigits(inFile), groupDigits(out)]);
}

function headOf({ source, written, file, refusals, nodes }: MigrationExportDocument): string {
  const from = sourceText(source);
  if (refusals.length > 0) {
    return `Nothing of ${from} was exported: ${countOf(refusals.length, 'refusal')}.`;
  }
  const what = `${from} with ${countOf(nodes.length, 'node')}`;
  if (file === undefined) return `Plan: ${what} can be exported.`;
  if (!written) return `${what} was not exported as a whole.`;
  return `${what} is exported to ${file === '-' ? 'standard output' : file}.`;
}

function refusalLines(refusals: readonly ExportRefusal[], surface: Surface): readonly string[] {
  if (refusals.length === 0) return [];
  const { theme } = surface;
  const texts = refusals.map(({ subject, reason }) => `${subject} ${reason}`);
  return ['', theme.problem(theme.heading('Refused:')), ...bullets(texts, surface)];
}

function bullets(texts: readonly string[], { width }: Surface): readonly string[] {
  const shown = texts
    .slice(0, SHOWN)
    .flatMap((text) => wrapText(printable(text), { width, first: '  - ' }));
  const rest = texts.length > SHOWN ? [`  ... and ${groupDigits(texts.length - SHOWN)} more`] : [];
  return [...shown, ...rest];
}
