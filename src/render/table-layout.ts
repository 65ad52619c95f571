import { printable } from './printable.ts';
import type { Cell, Column, TableSpec } from './table-spec.ts';
import { textWidth } from './text-width.ts';

/** What a table looks like at a given width. */
export interface TableLayout {
  /** Positions of the columns that stay, in order. */
  readonly kept: readonly number[];
  /** Headers of those that do not. */
  readonly dropped: readonly string[];
  /** Columns of text of each kept column, without padding. */
  readonly widths: readonly number[];
  /** False when not even the kept columns fit; then rows are printed as records. */
  readonly fits: boolean;
}

/** Safe text of a cell. */
export function cellText(cell: Cell | undefined): string {
  return cell === undefined ? '' : printable(typeof cell === 'string' ? cell : cell.text);
}

/** Decides which columns are shown, and how wide, on a surface of that many columns. */
export function layoutTable(spec: TableSpec, width: number): TableLayout {
  const natural = naturalWidths(spec);
  const gone = columnsToDrop(spec.columns, natural, width);
  const positions = spec.columns.map((_, position) => position);
  const kept = positions.filter((position) => !gone.has(position));
  const widths = kept.map((position) => natural[position] ?? 0);
  return {
    kept,
    dropped: positions
      .filter((position) => gone.has(position))
      .map((position) => spec.columns[position]?.header ?? ''),
    widths,
    fits: borderedWidth(widths) <= width,
  };
}

/** Drops by order until the rest fits, then takes back what has room after all, because a later one was wider. */
function columnsToDrop(
  columns: readonly Column[],
  natural: readonly number[],
  width: number,
): ReadonlySet<number> {
  const order = columns
    .map((column, position) => ({ position, dropOrder: column.dropOrder ?? 0 }))
    .filter((entry) => entry.dropOrder > 0)
    .sort((a, b) => b.dropOrder - a.dropOrder);
  const gone = new Set<number>();
  let total = borderedWidth(natural);
  for (const { position } of order) {
    if (total <= width) break;
    gone.add(position);
    total -= (natural[position] ?? 0) + 3;
  }
  for (const { position } of order.toReversed()) {
    const more = (natural[position] ?? 0) + 3;
    if (!gone.has(position) || total + more > width) continue;
    gone.delete(position);
    total += more;
  }
  return gone;
}

/** Columns that the whole table takes on a terminal, borders included. */
export function tableWidth(spec: TableSpec): number {
  return borderedWidth(naturalWidths(spec));
}

function naturalWidths({ columns, rows }: TableSpec): number[] {
  const widths = columns.map((column) => textWidth(column.header));
  for (const row of rows) {
    for (const [position, cell] of row.entries()) {
      const width = textWidth(cellText(cell));
      if (width > (widths[position] ?? 0)) widths[position] = width;
    }
  }
  return widths;
}

/** Two blanks and a line for each column, and one more line. */
function borderedWidth(widths: readonly number[]): number {
  return widths.reduce((sum, part) => sum + part + 3, 1);
}
