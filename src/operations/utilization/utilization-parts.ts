import { absentHosts } from '../../check/claims.ts';
import { type PoolCounts, staleBlocks } from '../../ipam/accounting/counts.ts';
import { type PoolUsage, type Usage, countUsage } from '../../ipam/accounting/usage.ts';
import type { Block, ClusterState } from '../../ipam/state/cluster-state.ts';
import { formatCidr } from '../../net/cidr.ts';
import type {
  BlockStates,
  BlockUtilization,
  OutsideUtilization,
  PoolUtilization,
  Utilization,
} from '../documents/utilization-document.ts';
import { addressCounts, blockRows } from './block-rows.ts';
import { hintsOf } from './hint-texts.ts';
import { type Share, namespaceRows, nodeRows } from './node-rows.ts';

/** What is counted and listed beside the pools. */
export interface UtilizationScope {
  /** One row a node. */
  readonly nodes?: boolean | undefined;
  /** One row a namespace. */
  readonly namespaces?: boolean | undefined;
  /** Lists the blocks of every pool. */
  readonly blocks?: boolean | undefined;
  /** Lists the blocks, each drawn address by address as of this moment (milliseconds since 1970). */
  readonly mapAt?: number | undefined;
  /** Only this pool. */
  readonly pool?: string | undefined;
  /** Only this node's row and its own blocks. */
  readonly node?: string | undefined;
}

/** Counts what the addresses of a state are used for. */
export function utilizationOf(state: ClusterState, scope: UtilizationScope): Utilization {
  const usage = countUsage(state);
  const includes = (block: Block) => isWanted(usage.ownerOf(block)?.key.name, scope.pool);
  const share: Share = { usage, includes };
  const listBlocks = blockLister(state, usage, scope);
  const listOutside = scope.pool === undefined ? listBlocks : () => undefined;
  return {
    pools: usage.pools
      .filter(({ pool }) => isWanted(pool.key.name, scope.pool))
      .map((pool) => poolRow(state, pool, listBlocks)),
    outsidePools: outsideRow(state, usage, listOutside),
    ...(scope.nodes
      ? { nodes: nodeRows(state, share).filter(({ name }) => isWanted(name, scope.node)) }
      : {}),
    ...(scope.namespaces ? { namespaces: namespaceRows(state, share) } : {}),
    hints: hintsOf(state, usage).filter(
      (hint) => isAbout(hint.pool, scope.pool) && isAbout(hint.node, scope.node),
    ),
  };
}

type BlockLister = (blocks: readonly Block[]) => readonly BlockUtilization[] | undefined;

function blockLister(state: ClusterState, usage: Usage, scope: UtilizationScope): BlockLister {
  const { blocks: isListed, mapAt, node } = scope;
  if (!isListed && mapAt === undefined) return () => undefined;
  return (blocks) => {
    const wanted = blocks.filter((block) => isWanted(block.node, node));
    return blockRows(state, { usage, blocks: wanted }, { mapAt });
  };
}

function poolRow(
  state: ClusterState,
  { pool, counts, blocks }: PoolUsage,
  listBlocks: BlockLister,
): PoolUtilization {
  const blockList = listBlocks(blocks);
  return {
    name: pool.key.name,
    cidr: formatCidr(pool.cidr),
    disabled: pool.disabled,
    blockSize: pool.blockSize,
    ...addressCounts(counts),
    blocks: {
      inUse: counts.blocksInUse,
      possible: counts.totalBlocks,
      byState: blockStates(state, counts),
    },
    ...(blockList ? { blockList } : {}),
  };
}

function outsideRow(
  state: ClusterState,
  { outside }: Usage,
  listBlocks: BlockLister,
): OutsideUtilization {
  const { counts, blocks } = outside;
  const blockList = listBlocks(blocks);
  return {
    inUse: counts.inUse,
    cooling: counts.cooling,
    borrowed: counts.borrowed,
    blocks: { inUse: counts.blocksInUse, byState: blockStates(state, counts) },
    ...(blockList ? { blockList } : {}),
  };
}

/** A damaged affinity text names nobody, so such blocks stand with those that nobody owns. */
function blockStates(state: ClusterState, counts: PoolCounts): BlockStates {
  const isAbsent = absentHosts(state);
  const missingNode = state.isLoaded('Node')
    ? staleBlocks(counts, (name) => !isAbsent(name))
    : undefined;
  let ofHosts = 0;
  for (const blocks of counts.blocksByNode.values()) ofHosts += blocks;
  return {
    affine: ofHosts - (missingNode ?? 0),
    virtual: counts.virtualAffinity,
    unaffined: counts.blocksInUse - counts.virtualAffinity - ofHosts,
    missingNode,
  };
}

function isWanted(name: string | undefined, wanted: string | undefined): boolean {
  return wanted === undefined || name === wanted;
}

function isAbout(name: string | undefined, wanted: string | undefined): boolean {
  return wanted === undefined || name === undefined || name === wanted;
}
