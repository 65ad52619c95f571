import type { Allocation, Block, ClusterState } from '../state/cluster-state.ts';
import { classifyNode, type Suspect } from './classify-node.ts';

/** What a collector looks at, and when. */
export interface ScanContext {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** How long a leak or an empty block of a live node has to be seen; 0 for never enough. */
  readonly leakGraceMs: number;
  /** Younger allocations are never released, in milliseconds. */
  readonly minAgeMs: number;
  readonly cooldownSeconds: number;
}

/** An empty block of a live node that has others. */
export interface EmptyBlock {
  readonly block: Block;
  readonly node: string;
}

/** What one look shows that a collector might clean up. */
export interface CollectorScan {
  /** Leaks, on absent nodes and on live ones, by node. */
  readonly suspects: readonly Suspect[];
  readonly emptyBlocks: readonly EmptyBlock[];
  /** Blocks with an address whose cooldown is over. */
  readonly coldBlocks: readonly Block[];
  /** Nodes that do not exist and whose every address is leaked, by name. */
  readonly absentNodes: readonly string[];
}

/** Label by which a move from another network marks its nodes; any value but `calico` means that the move goes on. */
const MIGRATION_LABEL = 'projectcalico.org/node-network-during-migration';

/**
 * Scans all nodes that own blocks or have addresses.
 * Source: Calico kube-controllers, node controller, IPAM garbage collection.
 */
export function scanCluster(state: ClusterState, context: ScanContext): CollectorScan {
  const suspects: Suspect[] = [];
  const absentNodes: string[] = [];
  // Without nodes every one would seem absent.
  if (state.isLoaded('Node')) {
    for (const [name, allocations] of allocationsByNode(state)) {
      const verdict = classifyNode(state, { name, allocations }, context);
      suspects.push(...verdict.suspects);
      if (verdict.isAbandoned) absentNodes.push(name);
    }
  }
  return {
    suspects,
    emptyBlocks: emptyBlocksOf(state),
    coldBlocks: coldBlocksOf(state, context),
    absentNodes,
  };
}

/** Allocations by the node that they name, with the owners of blocks; one without node is nobody's to judge. */
function allocationsByNode(
  state: ClusterState,
): readonly (readonly [string, readonly Allocation[]])[] {
  const nodes = new Map<string, Allocation[]>();
  for (const { node } of state.blocks) if (node !== undefined) nodes.set(node, []);
  for (const { type, host } of state.affinities) if (type === 'host') nodes.set(host, []);
  for (const allocation of state.allocations()) {
    const { nodeAttribute, cooling } = allocation;
    if (nodeAttribute === undefined || cooling) continue;
    const own = nodes.get(nodeAttribute);
    if (own) own.push(allocation);
    else nodes.set(nodeAttribute, [allocation]);
  }
  return [...nodes].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Cooling and reserved addresses keep a block from being empty, and a node keeps its last block. */
function emptyBlocksOf(state: ClusterState): readonly EmptyBlock[] {
  const owned = Map.groupBy(state.blocks, ({ node }) => node);
  return [...owned].flatMap(([node, blocks]) => {
    if (node === undefined || blocks.length <= 1) return [];
    const row = state.node(node);
    if (!row || isMoving(row.labels)) return [];
    return blocks
      .filter(({ inUse, defects }) => inUse === 0 && defects.length === 0)
      .map((block) => ({ block, node }));
  });
}

function isMoving(labels: Readonly<Record<string, string>>): boolean {
  const mark = labels[MIGRATION_LABEL];
  return mark !== undefined && mark !== 'calico';
}

function coldBlocksOf(
  state: ClusterState,
  { now, cooldownSeconds }: ScanContext,
): readonly Block[] {
  return state.blocks.filter((block) => {
    if (block.cooling === 0 || block.defects.length > 0) return false;
    for (const allocation of state.allocationsIn(block))
      if (isCold(allocation, now, cooldownSeconds)) return true;
    return false;
  });
}

/** Whether the address was released and its cooldown is over. */
export function isCold(
  { cooling, releasedAt }: Allocation,
  now: number,
  cooldownSeconds: number,
): boolean {
  if (!cooling) return false;
  return cooldownSeconds <= 0 || (releasedAt ?? now) < now - cooldownSeconds * 1000;
}
