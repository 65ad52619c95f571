import type {
  BlockUtilization,
  OutsideUtilization,
  PoolUtilization,
  Utilization,
} from '../../operations/documents/utilization-document.ts';
import { groupDigits } from '../numbers.ts';
import { cellText } from '../table-layout.ts';
import type { Cell, Column, TableSpec } from '../table-spec.ts';
import { type CountStyle, hasLargeCount, shareOf, spell } from './counts.ts';

/** The part of a document that the table shows. */
export type CountedUse = Pick<Utilization, 'pools' | 'outsidePools'>;

/**
 * The first six are calicoctl's, in its order. Where there is little room, what may explain why nothing is free goes last, and
 * the pool, which may be disabled, stays.
 */
const COLUMNS: readonly Column[] = [
  { header: 'GROUPING', dropOrder: 8 },
  { header: 'CIDR' },
  { header: 'IPS TOTAL', align: 'right', dropOrder: 5 },
  { header: 'IPS IN USE', align: 'right' },
  { header: 'IPS RESERVED', align: 'right', dropOrder: 2 },
  { header: 'IPS FREE', align: 'right' },
  { header: 'IPS COOLING', align: 'right', dropOrder: 3 },
  { header: 'BORROWED', align: 'right', dropOrder: 7 },
  { header: 'BLOCKS', align: 'right', dropOrder: 6 },
  { header: 'POOL' },
];

/** Columns of a table that lists blocks: what a row is must be seen, and most blocks lie in the pool above them. */
const COLUMNS_WITH_BLOCKS: readonly Column[] = [
  ...COLUMNS.map((column) => {
    if (column.header === 'GROUPING') return { header: 'GROUPING' };
    return column.header === 'POOL' ? { header: 'POOL', dropOrder: 4 } : column;
  }),
  { header: 'OWNER', dropOrder: 1 },
];

/** What a column without any number but 0 adds to its place in the order. */
const EMPTY_FIRST = 10;

/** Pools, each followed by its blocks where the document lists them, and then the blocks that no pool covers. */
export function utilizationTable(document: CountedUse, style: CountStyle): TableSpec {
  const rows = document.pools.flatMap((pool) => [
    poolRow(pool, style),
    ...blockRows(pool.blockList, pool.name, style),
  ]);
  const { outsidePools } = document;
  if (hasOutside(document)) {
    rows.push(outsideRow(outsidePools), ...blockRows(outsidePools.blockList, '', style));
  }
  if (hasBlockList(document)) return { columns: emptyFirst(COLUMNS_WITH_BLOCKS, rows), rows };
  const short = rows.map((row) => row.slice(0, COLUMNS.length));
  return { columns: emptyFirst(COLUMNS, short), rows: short };
}

function emptyFirst(columns: readonly Column[], rows: readonly Cell[][]): readonly Column[] {
  return columns.map((column, position) => {
    const isEmpty = rows.every((row) => /^(0 .*|0)?$/.test(cellText(row[position])));
    return column.dropOrder !== undefined && isEmpty
      ? { ...column, dropOrder: column.dropOrder + EMPTY_FIRST }
      : column;
  });
}

/** Whether blocks were asked for. */
export function hasBlockList({ pools, outsidePools }: CountedUse): boolean {
  return [...pools, outsidePools].some((group) => group.blockList !== undefined);
}

/** Whether some block lies in no pool. */
export function hasOutside({ outsidePools }: CountedUse): boolean {
  return outsidePools.blocks.inUse > 0 || (outsidePools.blockList?.length ?? 0) > 0;
}

/** Whether a count of the table is so large that it may be rounded where there is little room. */
export function hasLargeCounts({ pools, outsidePools }: CountedUse): boolean {
  const blocks = [...pools, outsidePools].flatMap((group) => group.blockList ?? []);
  return hasLargeCount([
    ...[...pools, ...blocks].flatMap((counts) => [counts.total, counts.free, counts.reserved]),
    ...pools.map((pool) => pool.blocks.possible),
  ]);
}

function poolRow(pool: PoolUtilization, style: CountStyle): Cell[] {
  return [
    'IP Pool',
    pool.cidr,
    spell(pool.total, style),
    shareOf(pool.inUse, pool.total, style),
    shareOf(pool.reserved, pool.total, style),
    freeCell(pool, style),
    shareOf(pool.cooling, pool.total, style),
    groupDigits(pool.borrowed),
    `${groupDigits(pool.blocks.inUse)} of ${spell(pool.blocks.possible, style)}`,
    pool.disabled ? { text: `${pool.name} (disabled)`, tone: 'muted' } : pool.name,
    '',
  ];
}

function blockRows(
  blocks: readonly BlockUtilization[] = [],
  pool: string,
  style: CountStyle,
): Cell[][] {
  return blocks.map((block) => [
    'Block',
    block.cidr,
    spell(block.total, style),
    shareOf(block.inUse, block.total, style),
    shareOf(block.reserved, block.total, style),
    freeCell(block, style),
    shareOf(block.cooling, block.total, style),
    groupDigits(block.borrowed),
    '',
    pool,
    block.affinity ?? { text: '(nobody)', tone: 'muted' },
  ]);
}

function outsideRow(outside: OutsideUtilization): Cell[] {
  const [inUse, cooling, borrowed, blocks] = [
    outside.inUse,
    outside.cooling,
    outside.borrowed,
    outside.blocks.inUse,
  ].map((count) => groupDigits(count));
  return [
    'No pool',
    '(no pool)',
    '',
    inUse ?? '',
    '',
    '',
    cooling ?? '',
    borrowed ?? '',
    blocks ?? '',
    '',
    '',
  ];
}

/** Free addresses, coloured where none or less than a tenth is left. */
function freeCell(counts: PoolUtilization | BlockUtilization, style: CountStyle): Cell {
  const text = shareOf(counts.free, counts.total, style);
  // A full block is ordinary: another one is claimed. A full pool is not.
  if (!('blocks' in counts) || counts.disabled) return text;
  if (counts.free === 0n) return { text, tone: 'problem' };
  return counts.free * 10n < counts.total ? { text, tone: 'warning' } : text;
}
