import { cellText, type TableLayout } from './table-layout.ts';
import type { Cell, TableSpec } from './table-spec.ts';
import type { Theme } from './theme.ts';
import { textWidth } from './text-width.ts';

/**
 * Lines of a table in the look of the small renderer, one at a time: cli-table3 needs time that grows with the square of the
 * rows (seven seconds for 10,000).
 */
export function* largeTableLines(
  spec: TableSpec,
  layout: TableLayout,
  theme: Theme,
): Generator<string> {
  const border = `+${layout.widths.map((width) => '-'.repeat(width + 2)).join('+')}+`;
  yield border;
  yield line(
    layout.kept.map((position, i) =>
      padEnd(spec.columns[position]?.header ?? '', layout.widths[i] ?? 0),
    ),
  );
  yield border;
  for (const row of spec.rows)
    yield line(layout.kept.map((position, i) => drawCell(i, row[position], position)));
  if (spec.rows.length > 0) yield border;

  function drawCell(i: number, cell: Cell | undefined, position: number): string {
    const text = cellText(cell);
    const blanks = ' '.repeat(Math.max(0, (layout.widths[i] ?? 0) - textWidth(text)));
    const painted = paintCell(cell, text, theme);
    return spec.columns[position]?.align === 'right' ? blanks + painted : painted + blanks;
  }
}

/** The safe text of a cell in the colour of its meaning. */
export function paintCell(cell: Cell | undefined, text: string, theme: Theme): string {
  return typeof cell === 'object' ? theme[cell.tone](text) : text;
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}
