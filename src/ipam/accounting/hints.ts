import type { Family } from '../../net/address.ts';
import { cidrFamily } from '../../net/cidr.ts';
import { DEFAULT_MAX_BLOCKS_PER_HOST } from '../model/ipam-config.ts';
import type { PoolRow } from '../model/pool.ts';
import { selects } from '../selector/evaluate.ts';
import type { Block, ClusterState, Node } from '../state/cluster-state.ts';
import { freeOf } from './counts.ts';
import { type PoolUsage, type Usage, countBlockOf } from './usage.ts';

/** Something worth knowing about a pool. Each is legal: no rule of check fires for it. */
export interface PoolHint {
  readonly code: 'all-blocks-claimed' | 'one-node-pool' | 'disabled-pool-in-use';
  readonly usage: PoolUsage;
}

/** A node that can take no further block of an IP version. */
export interface NodeHint {
  readonly code: 'no-block-under-strict-affinity' | 'block-limit-reached';
  readonly node: string;
  readonly family: Family;
  /** Blocks that it owns. */
  readonly blocks: number;
  /** Free addresses in them. */
  readonly free: bigint;
}

/** Whether every address of a block is kept for its owner; undefined when the configuration was not read. */
export function isAffinityStrict(state: ClusterState): boolean | undefined {
  return state.isLoaded('IPAMConfig') ? (state.config?.strictAffinity ?? false) : undefined;
}

/** Blocks that a node may own per IP version; undefined when the configuration was not read. */
export function blockLimitOf(state: ClusterState): number | undefined {
  if (!state.isLoaded('IPAMConfig')) return undefined;
  return state.config?.maxBlocksPerHost || DEFAULT_MAX_BLOCKS_PER_HOST;
}

/** Hints about pools, by pool. */
export function* poolHints(state: ClusterState, usage: Usage): Iterable<PoolHint> {
  for (const pool of usage.pools) {
    if (pool.pool.disabled && pool.counts.inUse > 0)
      yield { code: 'disabled-pool-in-use', usage: pool };
    if (!servesNodes(pool.pool)) continue;
    if (isAffinityStrict(state) && pool.counts.totalBlocks === 1n)
      yield { code: 'one-node-pool', usage: pool };
    else if (isAllClaimed(pool)) yield { code: 'all-blocks-claimed', usage: pool };
  }
}

/**
 * Hints about nodes, by node; none when the configuration was not read. Where nodes were not read, the owners of blocks
 * stand for them, and of nodes without a block nothing is told.
 */
export function nodeHints(state: ClusterState, usage: Usage): readonly NodeHint[] {
  const limit = blockLimitOf(state);
  if (limit === undefined) return [];
  const owned = blocksByOwner(state);
  const isStrict = isAffinityStrict(state) ?? false;
  const nodes = state.isLoaded('Node') ? state.nodes : [...owned.keys()].sort().map(nodeNamed);
  return nodes.flatMap((node) =>
    ([4, 6] as const).flatMap((family): NodeHint[] => {
      const blocks = (owned.get(node.name) ?? []).filter(({ cidr }) => cidrFamily(cidr) === family);
      const facts = { node: node.name, family, blocks: blocks.length };
      if (blocks.length >= limit) {
        return [{ code: 'block-limit-reached', ...facts, free: freeIn(state, usage, blocks) }];
      }
      const isLeftOut =
        isStrict &&
        state.isLoaded('Node') &&
        blocks.length === 0 &&
        canClaimNothing(usage, node, family);
      return isLeftOut ? [{ code: 'no-block-under-strict-affinity', ...facts, free: 0n }] : [];
    }),
  );
}

function nodeNamed(name: string): Pick<Node, 'name' | 'labels'> {
  return { name, labels: {} };
}

/** Whether new addresses for pods or tunnels of nodes may come from the pool without being asked for by name. */
function servesNodes(pool: PoolRow): boolean {
  const isOpen = !pool.disabled && pool.allocatable && !pool.terminating;
  return (
    isOpen &&
    pool.assignmentMode !== 'Manual' &&
    pool.allowedUses.some((use) => use !== 'LoadBalancer')
  );
}

/** A block without an owner can still be claimed. */
function isAllClaimed({ counts }: PoolUsage): boolean {
  return BigInt(counts.blocksInUse - counts.noAffinity) >= counts.totalBlocks;
}

/** Whether pools serve the node, but none has a block left; a selector that cannot be read might leave it out. */
function canClaimNothing(usage: Usage, node: Pick<Node, 'labels'>, family: Family): boolean {
  const pools = usage.pools.filter(
    ({ pool }) =>
      servesNodes(pool) &&
      cidrFamily(pool.cidr) === family &&
      selects(pool.nodeSelector, node.labels) === true,
  );
  return pools.length > 0 && pools.every(isAllClaimed);
}

function blocksByOwner(state: ClusterState): ReadonlyMap<string, readonly Block[]> {
  const owned = new Map<string, Block[]>();
  for (const block of state.blocks) {
    if (block.node === undefined) continue;
    const blocks = owned.get(block.node);
    if (blocks) blocks.push(block);
    else owned.set(block.node, [block]);
  }
  return owned;
}

function freeIn(state: ClusterState, usage: Usage, blocks: readonly Block[]): bigint {
  return blocks.reduce(
    (sum, block) => sum + freeOf(countBlockOf(state, block, usage.reserved)),
    0n,
  );
}
