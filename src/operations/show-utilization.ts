import { absentHosts } from '../check/claims.ts';
import { NotFoundError } from '../errors/not-found-error.ts';
import { isAffinityStrict } from '../ipam/accounting/hints.ts';
import type { ResourceKind } from '../ipam/model/resource.ts';
import type { ClusterState } from '../ipam/state/cluster-state.ts';
import type { OperationContext } from './context.ts';
import { documentSource } from './document-source.ts';
import type { UtilizationDocument } from './documents/utilization-document.ts';
import { EVIDENCE_KINDS } from './evidence-kinds.ts';
import { loadClusterState } from './load-cluster-state.ts';
import type { Outcome } from './outcome.ts';
import { unreadablePart } from './unreadable-part.ts';
import { utilizationOf } from './utilization/utilization-parts.ts';

/** What `ipam show` tells beside the pools. */
export interface ShowUtilizationOptions {
  readonly by?: 'pool' | 'node' | 'namespace' | undefined;
  /** Lists the blocks of every pool. */
  readonly showBlocks?: boolean | undefined;
  /** Lists the blocks, each drawn address by address. */
  readonly map?: boolean | undefined;
  /** Nodes, namespaces and the map together, as a page shows them. */
  readonly everything?: boolean | undefined;
  /** Only this pool. */
  readonly pool?: string | undefined;
  /** Only this node's row and its own blocks. */
  readonly node?: string | undefined;
}

/** How many names an error lists. */
const NAMES_LISTED = 10;

/**
 * Counts what the addresses of each pool are used for.
 * @throws {@link NotFoundError} when the pool or node that was asked for does not exist; the error names those that do.
 */
export async function showUtilization(
  context: OperationContext,
  options: ShowUtilizationOptions,
): Promise<Outcome<UtilizationDocument>> {
  const state = await loadFor(context, options);
  assertPool(state, options.pool);
  assertNode(state, options.node);
  const { by, everything = false, pool, node } = options;
  const document: UtilizationDocument = {
    kind: 'IPAMUtilization',
    schemaVersion: 1,
    source: documentSource(context, state),
    ...utilizationOf(state, {
      nodes: everything || by === 'node' || node !== undefined,
      namespaces: everything || by === 'namespace',
      blocks: options.showBlocks,
      mapAt: everything || options.map ? context.clock.now() : undefined,
      pool,
      node,
    }),
    ...unreadablePart(state),
  };
  return { document, verdict: 'ok' };
}

/**
 * Requests are few on a live cluster, and a snapshot answers as one: nodes and what carries addresses are read only where
 * the answer rests on them. Under strict affinity it does, since nodes without a block can assign nothing.
 */
async function loadFor(
  context: OperationContext,
  options: ShowUtilizationOptions,
): Promise<ClusterState> {
  const kinds = kindsFor(options);
  const { by, map, everything } = options;
  // Pools and nodes are counted by where an address is used, whoever uses it.
  const kept = by === 'namespace' || map || everything ? 'all' : 'nodes';
  const state = await loadClusterState(context, { kinds, kept });
  if (kinds.includes('Node') || !isAffinityStrict(state)) return state;
  return loadClusterState(context, { kinds: [...kinds, 'Node'], kept });
}

function kindsFor(options: ShowUtilizationOptions): readonly ResourceKind[] {
  const kinds: ResourceKind[] = [
    'ClusterInformation',
    'IPPool',
    'IPReservation',
    'IPAMBlock',
    'IPAMConfig',
  ];
  if (options.map || options.everything) return [...kinds, ...EVIDENCE_KINDS];
  return options.by === 'node' || options.node !== undefined ? [...kinds, 'Node'] : kinds;
}

function assertPool(state: ClusterState, wanted: string | undefined): void {
  const names = state.pools.map((pool) => pool.key.name);
  if (wanted !== undefined && !names.includes(wanted)) throw notFound('pool', wanted, names);
}

/** A node that is gone may still own blocks or hold addresses, and is what one may want to look at. */
function assertNode(state: ClusterState, wanted: string | undefined): void {
  if (wanted === undefined || !absentHosts(state)(wanted)) return;
  for (const block of state.blocks) if (block.node === wanted) return;
  for (const allocation of state.allocations()) if (allocation.nodeAttribute === wanted) return;
  const owners = state.blocks.flatMap(({ node }) => (node === undefined ? [] : [node]));
  const names = new Set([...state.nodes.map((node) => node.name), ...owners]);
  throw notFound('node', wanted, [...names].sort());
}

function notFound(noun: 'pool' | 'node', wanted: string, names: readonly string[]): NotFoundError {
  const listed = names.slice(0, NAMES_LISTED).join(', ');
  const more = names.length > NAMES_LISTED ? ` and ${names.length - NAMES_LISTED} more` : '';
  const hint = names.length === 0 ? `There is no ${noun} at all.` : `There is ${listed}${more}.`;
  return new NotFoundError(`${noun} ${wanted} does not exist`, {
    hint,
    details: { [noun]: wanted },
  });
}
