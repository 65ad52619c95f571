import { absentHosts } from '../check/claims.ts';
import { NotFoundError } from '../errors/not-found-error.ts';
import { type PoolCounts, staleBlocks } from '../ipam/accounting/counts.ts';
import { isAffinityStrict } from '../ipam/accounting/hints.ts';
import { type PoolUsage, type Usage, countUsage } from '../ipam/accounting/usage.ts';
import type { ResourceKind } from '../ipam/model/resource.ts';
import type { Block, ClusterState } from '../ipam/state/cluster-state.ts';
import { formatCidr } from '../net/cidr.ts';
import type { OperationContext } from './context.ts';
import { documentSource } from './document-source.ts';
import type {
  BlockStates,
  BlockUtilization,
  OutsideUtilization,
  PoolUtilization,
  UtilizationDocument,
} from './documents/utilization-document.ts';
import { EVIDENCE_KINDS } from './evidence-kinds.ts';
import { loadClusterState } from './load-cluster-state.ts';
import type { Outcome } from './outcome.ts';
import { addressCounts, blockRows } from './utilization/block-rows.ts';
import { hintsOf } from './utilization/hint-texts.ts';
import { type Share, namespaceRows, nodeRows } from './utilization/node-rows.ts';

/** What `ipam show` tells beside the pools. */
export interface ShowUtilizationOptions {
  readonly by?: 'pool' | 'node' | 'namespace' | undefined;
  /** Lists the blocks of every pool. */
  readonly showBlocks?: boolean | undefined;
  /** Lists the blocks, each drawn address by address. */
  readonly map?: boolean | undefined;
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
  const usage = countUsage(state);
  assertPool(state, options.pool);
  assertNode(state, options.node);
  const includes = (block: Block) => isWanted(usage.ownerOf(block)?.key.name, options.pool);
  const share: Share = { usage, includes };
  const listBlocks = blockLister(state, usage, { ...options, now: context.clock.now() });
  const document: UtilizationDocument = {
    kind: 'IPAMUtilization',
    schemaVersion: 1,
    source: documentSource(context, state),
    pools: usage.pools
      .filter(({ pool }) => isWanted(pool.key.name, options.pool))
      .map((pool) => poolRow(state, pool, listBlocks)),
    outsidePools: outsideRow(
      state,
      usage,
      options.pool === undefined ? listBlocks : () => undefined,
    ),
    ...(options.by === 'node' || options.node !== undefined
      ? { nodes: nodeRows(state, share).filter(({ name }) => isWanted(name, options.node)) }
      : {}),
    ...(options.by === 'namespace' ? { namespaces: namespaceRows(state, share) } : {}),
    hints: hintsOf(state, usage).filter(
      (hint) => isAbout(hint.pool, options.pool) && isAbout(hint.node, options.node),
    ),
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
  const state = await loadClusterState(context, { kinds });
  if (kinds.includes('Node') || !isAffinityStrict(state)) return state;
  return loadClusterState(context, { kinds: [...kinds, 'Node'] });
}

function kindsFor(options: ShowUtilizationOptions): readonly ResourceKind[] {
  const kinds: ResourceKind[] = [
    'ClusterInformation',
    'IPPool',
    'IPReservation',
    'IPAMBlock',
    'IPAMConfig',
  ];
  if (options.map) return [...kinds, ...EVIDENCE_KINDS];
  return options.by === 'node' || options.node !== undefined ? [...kinds, 'Node'] : kinds;
}

type BlockLister = (blocks: readonly Block[]) => readonly BlockUtilization[] | undefined;

function blockLister(
  state: ClusterState,
  usage: Usage,
  options: ShowUtilizationOptions & { readonly now: number },
): BlockLister {
  if (!options.showBlocks && !options.map) return () => undefined;
  const mapAt = options.map ? options.now : undefined;
  return (blocks) => {
    const wanted = blocks.filter((block) => isWanted(block.node, options.node));
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
