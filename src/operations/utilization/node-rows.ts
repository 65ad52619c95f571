import { absentHosts } from '../../check/claims.ts';
import { freeOf } from '../../ipam/accounting/counts.ts';
import { addToKey } from '../../ipam/accounting/tally.ts';
import { type Usage, countBlockOf, holdings } from '../../ipam/accounting/usage.ts';
import type { Block, ClusterState } from '../../ipam/state/cluster-state.ts';
import type { NamespaceUtilization, NodeUtilization } from '../documents/utilization-document.ts';

/** The part of a cluster that rows are about. */
export interface Share {
  readonly usage: Usage;
  /** Whether the block is one of those that count. */
  readonly includes: (block: Block) => boolean;
}

interface NodeSums {
  readonly exists: (node: string) => boolean;
  readonly blocks: Map<string, number>;
  readonly free: Map<string, bigint>;
  readonly assigned: Map<string | undefined, number>;
  readonly borrowed: Map<string | undefined, number>;
}

/** One row per node that exists, owns a block or holds an address, by name; addresses that no node holds come last. */
export function nodeRows(state: ClusterState, share: Share): readonly NodeUtilization[] {
  const sums = sumByNode(state, share);
  const names = new Set([
    ...state.nodes.map((node) => node.name),
    ...sums.blocks.keys(),
    ...sums.assigned.keys(),
  ]);
  return sortNames(names).map((name) => nodeRow(state, name, sums));
}

/** One row per namespace that holds an address, by name; addresses without a namespace come last. */
export function namespaceRows(
  state: ClusterState,
  { usage, includes }: Share,
): readonly NamespaceUtilization[] {
  const assigned = new Map<string | undefined, number>();
  for (const { block, allocation } of holdings(state, usage.ownerOf)) {
    if (!allocation.cooling && includes(block)) addToKey(assigned, allocation.namespace, 1);
  }
  return sortNames(assigned.keys()).map((name) => ({
    ...(name === undefined ? {} : { name }),
    assigned: assigned.get(name) ?? 0,
  }));
}

function sumByNode(state: ClusterState, { usage, includes }: Share): NodeSums {
  const isAbsent = absentHosts(state);
  const sums: NodeSums = {
    exists: (node) => !isAbsent(node),
    blocks: new Map(),
    free: new Map(),
    assigned: new Map(),
    borrowed: new Map(),
  };
  for (const block of state.blocks) {
    if (block.node === undefined || !includes(block)) continue;
    addToKey(sums.blocks, block.node, 1);
    const free = freeOf(countBlockOf(state, block, usage.reserved));
    sums.free.set(block.node, (sums.free.get(block.node) ?? 0n) + free);
  }
  for (const { block, allocation } of holdings(state, usage.ownerOf)) {
    if (allocation.cooling || !includes(block)) continue;
    addToKey(sums.assigned, allocation.node, 1);
    if (allocation.borrowed) addToKey(sums.borrowed, allocation.node, 1);
  }
  return sums;
}

function nodeRow(state: ClusterState, name: string | undefined, sums: NodeSums): NodeUtilization {
  const counts = { assigned: sums.assigned.get(name) ?? 0, borrowed: sums.borrowed.get(name) ?? 0 };
  if (name === undefined) return { blocks: 0, ...counts, freeInOwnBlocks: 0n };
  return {
    name,
    ...(state.isLoaded('Node') ? { exists: sums.exists(name) } : {}),
    blocks: sums.blocks.get(name) ?? 0,
    ...counts,
    freeInOwnBlocks: sums.free.get(name) ?? 0n,
  };
}

function sortNames(names: Iterable<string | undefined>): readonly (string | undefined)[] {
  // `sort` itself puts undefined last.
  return [...names].sort();
}
