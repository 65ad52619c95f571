import { attributeBlock } from '../accounting/attribution.ts';
import { reservedSet } from '../accounting/reserved-set.ts';
import { type Cidr, cidrSize } from '../../net/cidr.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { CollectorScan } from './collector-scan.ts';

/** Metrics and what they say, under the names that Calico's own collector gives them. */
const HELP = {
  ipam_allocations_in_use: 'Addresses in use, by pool and by the node that has them.',
  ipam_allocations_borrowed: 'Addresses in use in a block of another node, or of none.',
  ipam_blocks: 'Blocks by pool and owner.',
  ipam_allocations_gc_candidates: 'Addresses that are leaked, or may be.',
  ipam_allocations_gc_reclamations: 'Leaked addresses that were released.',
  ipam_ippool_size: 'Addresses of the pool.',
  ipam_ippool_reserved: 'Addresses of the pool that reservations cover.',
  ipam_allocations_per_node: 'Addresses in use by node.',
  ipam_allocations_borrowed_per_node: 'Borrowed addresses by node.',
  ipam_blocks_per_node: 'Blocks by node.',
} as const;

/** One value of a metric. */
export interface MetricSample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric with its values. */
export interface MetricFamily {
  readonly name: keyof typeof HELP;
  readonly help: string;
  readonly type: 'gauge' | 'counter';
  readonly labelNames: readonly string[];
  readonly samples: readonly MetricSample[];
}

/** Released leaks since the collector began, by pool and node. */
export type Reclamations = ReadonlyMap<
  string,
  { readonly pool: string; readonly node: string; readonly count: number }
>;

const NO_POOL = 'no_ippool';
const NO_NODE = 'unknown_node';
const NO_OWNER = 'no_affinity';

/** Counts by pool and node. */
class Counts {
  readonly #counts = new Map<string, Map<string, number>>();

  add(pool: string, node: string, by = 1): void {
    const nodes = this.#counts.get(pool) ?? new Map<string, number>();
    nodes.set(node, (nodes.get(node) ?? 0) + by);
    this.#counts.set(pool, nodes);
  }

  /** One sample per pool and node. */
  get samples(): readonly MetricSample[] {
    return [...this.#counts].flatMap(([ippool, nodes]) =>
      [...nodes].map(([node, value]) => ({ labels: { ippool, node }, value })),
    );
  }

  /** Totals of nodes over all pools. */
  get totals(): readonly MetricSample[] {
    const totals = new Map<string, number>();
    for (const nodes of this.#counts.values())
      for (const [node, value] of nodes) totals.set(node, (totals.get(node) ?? 0) + value);
    return [...totals].flatMap(([node, value]) =>
      node === NO_NODE || node === NO_OWNER ? [] : [{ labels: { node }, value }],
    );
  }
}

/** The pool in which a block counts, as metrics name it. */
export function metricPool(state: ClusterState, cidr: Cidr | undefined): string {
  const pool = cidr && attributeBlock(livePools(state), cidr);
  return pool?.key.name ?? NO_POOL;
}

/** A pool that is being deleted is gone for metrics. */
function livePools({ pools }: ClusterState): ClusterState['pools'] {
  return pools.filter(({ terminating }) => terminating !== true);
}

/** The node of an allocation, as metrics name it. */
export function metricNode(node: string | undefined): string {
  return node ?? NO_NODE;
}

/**
 * Counts what a look shows. Cooling addresses and ones without handle are not in use here; known nodes have zeros.
 * Source: Calico kube-controllers, node controller, IPAM metrics.
 */
export function collectorMetrics(
  state: ClusterState,
  scan: CollectorScan,
  reclamations: Reclamations,
): readonly MetricFamily[] {
  const { inUse, borrowed, blocks, candidates } = countsOf(state, scan);
  const reserved = reservedSet(state.reservations);
  const pools = livePools(state);
  const perPool = (count: (cidr: Cidr) => bigint): readonly MetricSample[] =>
    pools.map(({ key, cidr }) => ({ labels: { ippool: key.name }, value: Number(count(cidr)) }));
  return [
    family('ipam_allocations_in_use', inUse.samples),
    family('ipam_allocations_borrowed', borrowed.samples),
    family('ipam_blocks', blocks.samples),
    family('ipam_allocations_gc_candidates', candidates.samples),
    reclamationFamily(reclamations),
    family('ipam_ippool_size', perPool(cidrSize), POOL_LABELS),
    family(
      'ipam_ippool_reserved',
      perPool((cidr) => reserved.sizeWithin(cidr)),
      POOL_LABELS,
    ),
    family('ipam_allocations_per_node', inUse.totals, NODE_LABELS),
    family('ipam_allocations_borrowed_per_node', borrowed.totals, NODE_LABELS),
    family('ipam_blocks_per_node', blocks.totals, NODE_LABELS),
  ];
}

/** The same metrics after more leaks were released. */
export function withReclamations(
  families: readonly MetricFamily[],
  reclamations: Reclamations,
): readonly MetricFamily[] {
  return families.map((one) =>
    one.name === 'ipam_allocations_gc_reclamations' ? reclamationFamily(reclamations) : one,
  );
}

const BOTH_LABELS = ['ippool', 'node'];
const POOL_LABELS = ['ippool'];
const NODE_LABELS = ['node'];

function family(
  name: MetricFamily['name'],
  samples: readonly MetricSample[],
  labelNames: readonly string[] = BOTH_LABELS,
): MetricFamily {
  return { name, help: HELP[name], type: 'gauge', labelNames, samples };
}

function reclamationFamily(reclamations: Reclamations): MetricFamily {
  const samples = [...reclamations.values()].map(({ pool, node, count }) => ({
    labels: { ippool: pool, node },
    value: count,
  }));
  return { ...family('ipam_allocations_gc_reclamations', samples), type: 'counter' };
}

function countsOf(state: ClusterState, scan: CollectorScan) {
  const [inUse, borrowed, blocks, candidates] = [
    new Counts(),
    new Counts(),
    new Counts(),
    new Counts(),
  ];
  for (const { key } of livePools(state)) {
    for (const { name } of state.nodes)
      for (const counts of [inUse, borrowed, candidates]) counts.add(key.name, name, 0);
  }
  for (const block of state.blocks) {
    const pool = metricPool(state, block.cidr);
    blocks.add(pool, block.node ?? NO_OWNER);
    for (const { cooling, handleId, nodeAttribute } of state.allocationsIn(block)) {
      if (cooling || handleId === undefined) continue;
      inUse.add(pool, metricNode(nodeAttribute));
      if (nodeAttribute !== undefined && nodeAttribute !== block.node)
        borrowed.add(pool, nodeAttribute);
    }
  }
  for (const { allocation } of scan.suspects) {
    const pool = metricPool(state, allocation.block.cidr);
    candidates.add(pool, metricNode(allocation.nodeAttribute));
  }
  return { inUse, borrowed, blocks, candidates };
}
