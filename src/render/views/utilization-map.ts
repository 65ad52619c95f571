import type {
  BlockUtilization,
  OutsideUtilization,
  PoolUtilization,
  UtilizationDocument,
} from '../../operations/documents/utilization-document.ts';
import { groupDigits } from '../numbers.ts';
import { CELL_KIND_OF, CELL_KINDS } from '../page/cell-kinds.ts';
import { printable } from '../printable.ts';
import type { Surface } from '../view.ts';
import { wrapText } from '../wrap.ts';
import { shareOf } from './counts.ts';

/** Cells a line, the most that fit; powers of two, so that equal places of two blocks stand below each other. */
const LINE_LENGTHS = [64, 32, 16, 8] as const;

/** Whether the document carries cells to draw. */
export function hasMap({ pools, outsidePools }: UtilizationDocument): boolean {
  return [...pools, outsidePools].some((group) =>
    group.blockList?.some((block) => block.cells !== undefined),
  );
}

/** Every block as a grid of one letter per address, under its pool. */
export function mapLines(document: UtilizationDocument, surface: Surface): string[] {
  const { pools, outsidePools } = document;
  const isAnyOutside = (outsidePools.blockList?.length ?? 0) > 0;
  return [
    ...legend(surface),
    ...pools.flatMap((pool) => ['', ...groupLines(poolTitle(pool), pool, surface)]),
    ...(isAnyOutside ? ['', ...groupLines('Outside all pools', outsidePools, surface)] : []),
  ];
}

function poolTitle(pool: PoolUtilization): string {
  const state = pool.disabled ? ', disabled' : '';
  return `IP Pool ${pool.name} ${pool.cidr}${state}: ${shareOf(pool.inUse, pool.total)} in use`;
}

function groupLines(
  title: string,
  group: PoolUtilization | OutsideUtilization,
  surface: Surface,
): string[] {
  const blocks = group.blockList ?? [];
  return [
    ...wrapText(printable(title), surface).map(surface.theme.heading),
    ...(blocks.length === 0 ? [surface.theme.muted('  no blocks')] : []),
    ...blocks.flatMap((block) => blockLines(block, surface)),
  ];
}

function blockLines(block: BlockUtilization, surface: Surface): string[] {
  const owner = printable(block.affinity ?? 'nobody');
  const head = wrapParts(
    [block.cidr, owner, `${groupDigits(block.inUse)} of ${groupDigits(block.total)} in use`],
    surface.width - 2,
  ).map((line) => `  ${line}`);
  if (block.cells === undefined)
    return [...head, surface.theme.muted('    too many addresses to draw')];
  const margin = Math.max(4, block.cells.length.toString().length + 1) + 2;
  const length = LINE_LENGTHS.find((cells) => margin + 1 + cells <= surface.width) ?? 8;
  const lines: string[] = [];
  for (let start = 0; start < block.cells.length; start += length) {
    const offset = surface.theme.muted(`+${start}`.padStart(margin));
    lines.push(`${offset} ${paintCells(block.cells.slice(start, start + length), surface)}`);
  }
  return [...head, ...lines];
}

function paintCells(cells: string, { theme }: Surface): string {
  // Runs of one letter are painted at once, or a colour would stand around every cell.
  return cells.replace(/(.)\1*/g, (run: string, letter: string) => {
    const tone = CELL_KIND_OF.get(letter)?.tone;
    return tone === undefined ? run : theme[tone](run);
  });
}

function legend(surface: Surface): string[] {
  const parts = CELL_KINDS.map(({ letter, meaning }) => `${letter} ${meaning}`);
  return wrapParts(parts, surface.width).map((line) =>
    line.replace(/(?<=^|  )\S(?= )/g, (letter) => paintCells(letter, surface)),
  );
}

/** Joins parts by two blanks, as many a line as fit. */
function wrapParts(parts: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 2 + part.length > width) lines.push(part);
    else lines[lines.length - 1] = `${last}  ${part}`;
  }
  return lines;
}
