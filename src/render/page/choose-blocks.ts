import type { BlockUtilization } from '../../operations/documents/utilization-document.ts';

/** Cells and blocks that a page draws at most; beyond, a browser takes seconds to lay it out. */
const MOST_CELLS = 65_536;
const MOST_BLOCKS = 2000;

/** The blocks that a page draws: all while they are few, else those with the most to see, leaked addresses first. */
export function chooseBlocks(blocks: readonly BlockUtilization[]): ReadonlySet<BlockUtilization> {
  const sorted = blocks.map((block) => ({ block, rank: rankOf(block) }));
  // Equal ranks keep the order of the document.
  sorted.sort((a, b) => b.rank - a.rank);
  const chosen = new Set<BlockUtilization>();
  let room = MOST_CELLS;
  for (const { block } of sorted) {
    const size = block.cells?.length ?? 0;
    if (chosen.size >= MOST_BLOCKS) break;
    if (size > room) continue;
    chosen.add(block);
    room -= size;
  }
  return chosen;
}

function rankOf({ cells = '' }: BlockUtilization): number {
  if (cells.includes('L')) return 3;
  if (cells.includes('b')) return 2;
  return cells.includes('c') ? 1 : 0;
}
