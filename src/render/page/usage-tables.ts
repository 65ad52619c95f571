import type {
  NodeUtilization,
  Utilization,
} from '../../operations/documents/utilization-document.ts';
import { htmlList, htmlParagraph, htmlTable } from '../html.ts';
import { nodeTable } from '../views/utilization-groups.ts';
import { hasOutside, utilizationTable } from '../views/utilization-table.ts';
import { usageBar } from './usage-bar.ts';

/** Pools as a table with bars, without their blocks, which the map shows; then the hints. */
export function poolSection(utilization: Utilization): string[] {
  const { pools, outsidePools, hints } = utilization;
  const bare = {
    pools: pools.map((pool) => ({ ...pool, blockList: undefined })),
    outsidePools: { ...outsidePools, blockList: undefined },
  };
  const table = utilizationTable(bare, 'exact');
  // The last column, the name, is what one looks for; on a page there is room to have it first.
  const rows = table.rows.map((row, i) => {
    const pool = pools[i];
    return [row.at(-1) ?? '', pool === undefined ? '' : usageBar(pool), ...row.slice(1, -1)];
  });
  const columns = [
    { header: 'POOL' },
    { header: 'USE' },
    ...table.columns.slice(1, table.columns.length - 1),
  ];
  return [
    '<h2 id="pools">Pools</h2>',
    pools.length > 0 || hasOutside(utilization)
      ? htmlTable({ columns, rows })
      : htmlParagraph('There are no pools, and no blocks.'),
    ...(hints.length > 0 ? ['<h3>Hints</h3>', htmlList(hints.map(({ message }) => message))] : []),
  ];
}

/** Nodes with bars of what is taken of their own blocks: those that do not exist first, then the fullest. */
export function nodeSection(nodes: readonly NodeUtilization[] | undefined): string[] {
  if (nodes === undefined) return [];
  const sorted = nodes
    .map((node) => ({ node, rank: rankOf(node) }))
    .sort((a, b) => b.rank - a.rank)
    .map(({ node }) => node);
  const table = nodeTable(sorted);
  const [name = { header: 'NODE' }, ...others] = table.columns;
  return [
    '<h2 id="nodes">Nodes</h2>',
    sorted.length === 0
      ? htmlParagraph('No node owns a block or holds an address.')
      : htmlTable({
          columns: [name, { header: 'OWN BLOCKS' }, ...others],
          rows: table.rows.map((row, i) => [row[0] ?? '', barOf(sorted[i]), ...row.slice(1)]),
        }),
  ];
}

function barOf(node: NodeUtilization | undefined) {
  if (node?.name === undefined || node.blocks === 0) return '';
  const inUse = ownAddresses(node);
  return usageBar({ total: inUse + node.freeInOwnBlocks, inUse });
}

function ownAddresses({ assigned, borrowed }: NodeUtilization): bigint {
  return BigInt(assigned - borrowed);
}

/** Thousandths of the own blocks that are taken; above them nodes that do not exist, below what no node holds. */
function rankOf(node: NodeUtilization): number {
  if (node.name === undefined) return -1;
  if (node.exists === false) return 1001;
  const own = ownAddresses(node);
  const all = own + node.freeInOwnBlocks;
  return all === 0n ? 0 : Number((own * 1000n) / all);
}
