import { addressAt, formatAddress } from '../../net/address.ts';
import { type Cidr, parseCidr } from '../../net/cidr.ts';
import type {
  BlockUtilization,
  OutsideUtilization,
  PoolUtilization,
  Utilization,
} from '../../operations/documents/utilization-document.ts';
import { escapeHtml, htmlParagraph } from '../html.ts';
import { groupDigits } from '../numbers.ts';
import { shareOf } from '../views/counts.ts';
import { CELL_KIND_OF, CELL_KINDS } from './cell-kinds.ts';
import { chooseBlocks } from './choose-blocks.ts';

/** Cells a line; blocks of more than {@link LARGE} addresses take the width of the page. */
const LINE = 16;
const WIDE_LINE = 64;
const LARGE = 256;

/** Every pool with its blocks as grids of cells; of very many blocks those that tell most, and it says so. */
export function mapSection(utilization: Utilization): string[] {
  const groups = groupsOf(utilization);
  const all = groups.flatMap(({ blocks }) => blocks);
  if (!all.some((block) => block.cells !== undefined)) return [];
  const chosen = chooseBlocks(all);
  const left = all.length - chosen.size;
  return [
    '<h2 id="map">Map of blocks</h2>',
    legend(),
    ...(left > 0 ? [leftOut(left)] : []),
    ...groups.flatMap((group) => groupSection(group, chosen)),
  ];
}

interface Group {
  readonly title: string;
  readonly blocks: readonly BlockUtilization[];
}

function groupsOf({ pools, outsidePools }: Utilization): readonly Group[] {
  const outside: OutsideUtilization = outsidePools;
  return [
    ...pools.map((pool) => ({ title: poolTitle(pool), blocks: pool.blockList ?? [] })),
    ...(outside.blockList?.length ? [{ title: 'In no pool', blocks: outside.blockList }] : []),
  ];
}

function poolTitle({ name, cidr, disabled, inUse, total }: PoolUtilization): string {
  return `Pool ${name}, ${cidr}${disabled ? ', disabled' : ''}: ${shareOf(inUse, total)} in use`;
}

function leftOut(count: number): string {
  return htmlParagraph(
    `${groupDigits(count)} more blocks are not drawn here: those with leaked, borrowed and cooling addresses come first. ` +
      'ipamctl ipam show --map --pool NAME draws all blocks of one pool.',
    'cut warning',
  );
}

function legend(): string {
  const items = CELL_KINDS.map(
    ({ className, mark, meaning }) =>
      `<li><i class="cell ${className}" aria-hidden="true">${mark}</i>${meaning}</li>`,
  );
  return `<ul class="legend">${items.join('')}</ul>`;
}

function groupSection({ title, blocks }: Group, chosen: ReadonlySet<BlockUtilization>): string[] {
  const drawn = blocks.filter((block) => chosen.has(block));
  const left = blocks.length - drawn.length;
  return [
    `<section><h3>${escapeHtml(title)}</h3>`,
    ...(blocks.length === 0 ? [htmlParagraph('No blocks.', 'muted')] : []),
    '<div class="blocks">',
    ...drawn.map(blockCard),
    '</div>',
    ...(left > 0 ? [htmlParagraph(`${groupDigits(left)} more blocks.`, 'muted')] : []),
    '</section>',
  ];
}

function blockCard(block: BlockUtilization): string {
  const { cells, cidr, affinity } = block;
  const counts = countsText(block);
  const isLarge = cells !== undefined && cells.length > LARGE;
  return [
    `<article class="block${isLarge ? ' wide' : ''}">`,
    `<h4>${escapeHtml(cidr)}</h4>`,
    `<div>${escapeHtml(affinity ?? 'owned by nobody')}</div>`,
    `<div>${escapeHtml(counts)}</div>`,
    cells === undefined
      ? '<div class="muted">too many addresses to draw</div>'
      : `<div class="cells" role="img" aria-label="${escapeHtml(`${cidr}: ${counts}`)}">${cellsMarkup(cells, parseCidr(cidr))}</div>`,
    '</article>',
  ].join('');
}

function countsText({ cells = '', inUse, total }: BlockUtilization): string {
  const counted = CELL_KINDS.filter(({ letter }) => letter !== '.' && letter !== '#').map(
    ({ letter, meaning }) => [cells.split(letter).length - 1, meaning] as const,
  );
  const special = counted
    .filter(([count]) => count > 0)
    .map(([count, meaning]) => `${groupDigits(count)} ${meaning}`);
  return [`${groupDigits(inUse)} of ${groupDigits(total)} in use`, ...special].join(', ');
}

/** A line starts with its offset; what is not free tells its address. */
function cellsMarkup(cells: string, cidr: Cidr | undefined): string {
  const line = cells.length > LARGE ? WIDE_LINE : LINE;
  const parts: string[] = [];
  for (const [offset, letter] of Array.from(cells).entries()) {
    if (offset % line === 0) parts.push(`<s>+${offset}</s>`);
    parts.push(cellMarkup(letter, cidr && formatAddress(addressAt(cidr.base, offset))));
  }
  return parts.join('');
}

function cellMarkup(letter: string, address: string | undefined): string {
  const kind = CELL_KIND_OF.get(letter);
  if (kind === undefined || letter === '.') return '<i></i>';
  const title = address === undefined ? kind.meaning : `${address} ${kind.meaning}`;
  return `<i class="${kind.className}" title="${title}">${kind.mark}</i>`;
}
