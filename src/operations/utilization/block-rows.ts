import { type BlockCounts, freeOf } from '../../ipam/accounting/counts.ts';
import { judgeAllocation } from '../../ipam/accounting/liveness.ts';
import { type Usage, countBlockOf } from '../../ipam/accounting/usage.ts';
import type { Allocation, Block, ClusterState } from '../../ipam/state/cluster-state.ts';
import type { AddressSet } from '../../net/address-set.ts';
import { addressAt } from '../../net/address.ts';
import { cidrSize, formatCidr } from '../../net/cidr.ts';
import type { AddressCounts, BlockUtilization } from '../documents/utilization-document.ts';

/** Blocks of more addresses than this are not drawn. */
const LARGEST_MAP = 65_536n;

/** The moment at which leaks are judged, and whether blocks are drawn at all. */
export interface BlockRowOptions {
  /** Milliseconds since 1970; only with a map. */
  readonly mapAt?: number | undefined;
}

/** Rows of the blocks, in their order. */
export function blockRows(
  state: ClusterState,
  { usage, blocks }: { readonly usage: Usage; readonly blocks: readonly Block[] },
  options: BlockRowOptions,
): readonly BlockUtilization[] {
  return blocks.map((block) => {
    const counts = countBlockOf(state, block, usage.reserved);
    const { mapAt } = options;
    const isDrawn = mapAt !== undefined && counts.total <= LARGEST_MAP;
    return {
      cidr: formatCidr(block.cidr),
      ...(block.affinity === undefined ? {} : { affinity: block.affinity }),
      ...addressCounts(counts),
      ...(isDrawn
        ? { cells: cellsOf(state, block, { reserved: usage.reserved, now: mapAt }) }
        : {}),
    };
  });
}

/** The columns that pools and blocks share. */
export function addressCounts(counts: BlockCounts): AddressCounts {
  const { total, inUse, cooling, reserved, borrowed } = counts;
  return { total, inUse, cooling, reserved, free: freeOf(counts), borrowed };
}

function cellsOf(
  state: ClusterState,
  block: Block,
  { reserved, now }: { readonly reserved: AddressSet; readonly now: number },
): string {
  const size = Number(cidrSize(block.cidr));
  const cells = new Array<string>(size).fill('.');
  if (reserved.overlaps(block.cidr)) {
    for (let ordinal = 0; ordinal < size; ordinal++) {
      if (reserved.contains(addressAt(block.cidr.base, ordinal))) cells[ordinal] = 'r';
    }
  }
  for (const allocation of state.allocationsIn(block))
    cells[allocation.ordinal] = cellOf(state, allocation, now);
  return cells.join('');
}

/** A leak shows as one even when it is borrowed; what cannot be judged shows as in use. */
function cellOf(state: ClusterState, allocation: Allocation, now: number): string {
  if (allocation.cooling) return 'c';
  if (judgeAllocation(state, allocation, { now, minAgeMs: 0 }).standing === 'leaked') return 'L';
  return allocation.borrowed ? 'b' : '#';
}
