import { type Cidr, cidrsEqual, formatCidr } from '../../net/cidr.ts';
import type { HandleCount, HandleRow } from '../model/handle.ts';

/** How many addresses of a block rows of a handle count together, however they spell it. */
export function countIn(rows: readonly HandleRow[], cidr: Cidr): number {
  return rows
    .flatMap(({ counts }) => counts)
    .filter((entry) => isOf(entry, cidr))
    .reduce((sum, { count }) => sum + count, 0);
}

/** Whether a row says anything of a block, be it 0. */
export function hasEntry({ counts }: HandleRow, cidr: Cidr): boolean {
  return counts.some((entry) => isOf(entry, cidr));
}

/** The row with this count for the block; with 0 it says nothing of it. */
export function withCount(row: HandleRow, cidr: Cidr, count: number): HandleRow {
  const others = row.counts.filter((entry) => !isOf(entry, cidr));
  const own = count > 0 ? [{ text: formatCidr(cidr), cidr, count }] : [];
  return { ...row, counts: [...others, ...own].sort(byText) };
}

/** What a row counts in texts that are no prefix, and so in no block. */
export function strayEntries({ counts }: HandleRow): readonly HandleCount[] {
  return counts.filter(({ cidr }) => cidr === undefined);
}

function isOf(entry: HandleCount, cidr: Cidr): boolean {
  return entry.cidr !== undefined && cidrsEqual(entry.cidr, cidr);
}

function byText(a: HandleCount, b: HandleCount): number {
  return a.text < b.text ? -1 : 1;
}
