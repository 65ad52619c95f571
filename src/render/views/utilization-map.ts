import type {
  BlockUtilization,
  OutsideUtilization,
  PoolUtilization,
  UtilizationDocument,
} from '../../operations/documents/utilization-document.ts';
import { groupDigits } from '../numbers.ts';
import { printable } from '../printable.ts';
import type { Tone } from '../theme.ts';
import type { Surface } from '../view.ts';
import { shareOf } from './counts.ts';

/** Meaning and colour of the letters in `cells`. */
const CELLS: Readonly<
  Record<string, { readonly meaning: string; readonly tone: Tone | undefined }>
> = {
  '.': { meaning: 'free', tone: 'muted' },
  '#': { meaning: 'in use', tone: 'ok' },
  c: { meaning: 'cooling', tone: 'note' },
  r: { meaning: 'reserved', tone: 'muted' },
  L: { meaning: 'leaked', tone: 'problem' },
  b: { meaning: 'borrowed', tone: 'warning' },
};

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
  const lines = [legend(surface)];
  for (const pool of document.pools) lines.push('', ...groupLines(poolTitle(pool), pool, surface));
  const { outsidePools } = document;
  if (outsidePools.blockList && outsidePools.blockList.length > 0) {
    lines.push('', ...groupLines('Outside all pools', outsidePools, surface));
  }
  return lines;
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
    surface.theme.heading(printable(title)),
    ...(blocks.length === 0 ? [surface.theme.muted('  no blocks')] : []),
    ...blocks.flatMap((block) => blockLines(block, surface)),
  ];
}

function blockLines(block: BlockUtilization, surface: Surface): string[] {
  const owner = printable(block.affinity ?? 'nobody');
  const head = `  ${block.cidr}  ${owner}  ${groupDigits(block.inUse)} of ${groupDigits(block.total)} in use`;
  if (block.cells === undefined)
    return [head, surface.theme.muted('    too many addresses to draw')];
  const margin = Math.max(4, block.cells.length.toString().length + 1) + 2;
  const length = LINE_LENGTHS.find((cells) => margin + 1 + cells <= surface.width) ?? 8;
  const lines: string[] = [];
  for (let start = 0; start < block.cells.length; start += length) {
    const offset = surface.theme.muted(`+${start}`.padStart(margin));
    lines.push(`${offset} ${paintCells(block.cells.slice(start, start + length), surface)}`);
  }
  return [head, ...lines];
}

function paintCells(cells: string, { theme }: Surface): string {
  // Runs of one letter are painted at once, or a colour would stand around every cell.
  return cells.replace(/(.)\1*/g, (run: string, letter: string) => {
    const tone = CELLS[letter]?.tone;
    return tone === undefined ? run : theme[tone](run);
  });
}

function legend(surface: Surface): string {
  const parts = Object.entries(CELLS).map(
    ([letter, { meaning }]) => `${paintCells(letter, surface)} ${meaning}`,
  );
  return parts.join('  ');
}
