import { largeTableLines, paintCell } from './large-table.ts';
import { cellText, layoutTable, type TableLayout } from './table-layout.ts';
import type { Cell, TableSpec } from './table-spec.ts';
import { textWidth } from './text-width.ts';
import type { Theme } from './theme.ts';
import { labelLines, wrapText } from './wrap.ts';

/** Up to this many rows cli-table3 draws; beyond, it would take too long (see `largeTableLines`). */
export const SMALL_TABLE_ROWS = 500;

/** Draws tables for one width and theme; the text has no final newline. */
export type TableRenderer = (spec: TableSpec) => string;

/** Lines and corners in ASCII, as calicoctl's tables have them: a rule below the header, none between rows. */
const CHARS = {
  top: '-',
  'top-mid': '+',
  'top-left': '+',
  'top-right': '+',
  bottom: '-',
  'bottom-mid': '+',
  'bottom-left': '+',
  'bottom-right': '+',
  left: '|',
  'left-mid': '+',
  mid: '-',
  'mid-mid': '+',
  right: '|',
  'right-mid': '+',
  middle: '|',
};

/** Makes a renderer; loads cli-table3. */
export async function loadTableRenderer(width: number, theme: Theme): Promise<TableRenderer> {
  const { default: Table3 } = await import('cli-table3');
  return (spec) => {
    const layout = layoutTable(spec, width);
    if (!layout.fits) return recordLines(spec, theme, width).join('\n');
    const note = noteLines(layout, width).map(theme.muted);
    if (spec.rows.length > SMALL_TABLE_ROWS)
      return [...largeTableLines(spec, layout, theme), ...note].join('\n');
    const table = new Table3({
      head: layout.kept.map((position) => spec.columns[position]?.header ?? ''),
      colAligns: layout.kept.map((position) => spec.columns[position]?.align ?? 'left'),
      chars: CHARS,
      style: { head: [], border: [], compact: true },
    });
    table.push(...cellsOf(spec, layout, theme));
    return [alignHeader(table.toString(), spec, layout), ...note].join('\n');
  };
}

function noteLines({ dropped }: TableLayout, width: number): string[] {
  if (dropped.length === 0) return [];
  return wrapText(`(too narrow for ${dropped.join(', ')}; a wider terminal shows all)`, { width });
}

function cellsOf(spec: TableSpec, layout: TableLayout, theme: Theme): string[][] {
  return spec.rows.map((row) =>
    layout.kept.map((position) => paintCell(row[position], cellText(row[position]), theme)),
  );
}

/** cli-table3 aligns a header like its column; ours stand left, as in calicoctl's tables. */
function alignHeader(text: string, spec: TableSpec, layout: TableLayout): string {
  const [border = '', , ...rest] = text.split('\n');
  const header = layout.kept.map((position, i) => {
    const title = spec.columns[position]?.header ?? '';
    return title + ' '.repeat((layout.widths[i] ?? 0) - textWidth(title));
  });
  return [border, `| ${header.join(' | ')} |`, ...rest].join('\n');
}

/** One row after another, a line per column that it fills: for terminals that are too narrow for the table. */
function recordLines({ columns, rows }: TableSpec, theme: Theme, width: number): string[] {
  const labels = Math.max(...columns.map((column) => textWidth(column.header)));
  return rows.flatMap((row, i) => [
    ...(i === 0 ? [] : ['']),
    ...columns.flatMap((column, position) =>
      cellText(row[position]) === ''
        ? []
        : recordField(`${column.header.padEnd(labels)}  `, row[position], { theme, width }),
    ),
  ]);
}

/** The label and its value on one line where it fits, else on several; only the value is painted. */
function recordField(
  label: string,
  cell: Cell | undefined,
  { theme, width }: { readonly theme: Theme; readonly width: number },
): string[] {
  const [first = '', ...rest] = labelLines(label, cellText(cell), width);
  const paint = (text: string): string => paintCell(cell, text, theme);
  if (!first.startsWith(label)) return [first, ...rest.map(paint)];
  return [`${label}${paint(first.slice(label.length))}`.trimEnd(), ...rest.map(paint)];
}
