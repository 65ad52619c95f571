import { EngineError } from '../errors/engine-error.ts';
import { type HostReservation, longestBlockPrefix } from '../ipam/allocator/host-reservation.ts';
import { enabledPools, poolOf, poolsForUse, selectPools } from '../ipam/allocator/select-pools.ts';
import type { BlockOwner } from '../ipam/block-owner.ts';
import type { PoolRow } from '../ipam/model/pool.ts';
import type { Labels } from '../ipam/selector/evaluate.ts';
import type { Family } from '../net/address.ts';
import { type Cidr, cidrFamily, containsAddress, formatCidr } from '../net/cidr.ts';
import { affinitiesOf } from './affinity-list.ts';
import type { EngineContext } from './engine-context.ts';
import { isKept, selectsNode } from './node-selection.ts';
import { releaseWithRetries } from './release-step.ts';

/** Who wants addresses of one family, what for, and where from. */
export interface BlockRequest {
  readonly owner: BlockOwner;
  readonly family: Family;
  readonly use: string;
  /** Pools that are asked for by their prefix. */
  readonly pools: readonly Cidr[];
  readonly namespaceLabels?: Labels | undefined;
  readonly reservation?: HostReservation | undefined;
}

/** Where a request may take addresses from. */
export interface PreparedBlocks {
  /** Pools that serve the request, in order. */
  readonly pools: readonly PoolRow[];
  /** Blocks of the owner in those pools, in the order of their rows. */
  readonly affine: readonly Cidr[];
}

/**
 * Finds the pools of a request and the blocks that its owner has in them. Empty blocks in pools that no longer select the
 * node are given up.
 *
 * @throws {@link EngineError} when no pool can serve the request.
 * Source: Calico libcalico-go lib/ipam, preparation of a host's affine blocks.
 */
export async function prepareBlocks(
  context: EngineContext,
  request: BlockRequest,
): Promise<PreparedBlocks> {
  const { owner, family } = request;
  assertFamily(request);
  const longest = longestBlockPrefix(family, request.reservation);
  const nodeLabels = await labelsOf(context, request);
  const enabled = enabledPools(await context.store.pools(), family);
  const matching = selectPools(enabled, {
    family,
    requested: request.pools,
    nodeLabels,
    namespaceLabels: request.namespaceLabels ?? {},
    longestBlockPrefix: longest,
  });
  if (matching.length === 0)
    throw new EngineError('no-pool-for-node', `no pool may serve ${owner.host}`);
  const pools = poolsForUse(matching, request.use);
  const blocks = (await affinitiesOf(context, owner, family)).map(({ cidr }) => cidr);
  for (const cidr of blocks) {
    if (matching.some((pool) => containsAddress(pool.cidr, cidr.base))) continue;
    const pool = poolOf(enabled, cidr.base);
    if (pool && !selectsNode(pool, nodeLabels)) await giveUp(context, owner, cidr);
  }
  return {
    pools,
    affine: blocks.filter((cidr) => pools.some((pool) => containsAddress(pool.cidr, cidr.base))),
  };
}

function assertFamily({ pools, family }: BlockRequest): void {
  const wrong = pools.find((cidr) => cidrFamily(cidr) !== family);
  if (wrong)
    throw new EngineError(
      'wrong-family-pool',
      `the pool ${formatCidr(wrong)} is not one of IPv${family}`,
    );
}

/** The load-balancer controller is no node: it has no labels. */
async function labelsOf({ store }: EngineContext, { owner, use }: BlockRequest): Promise<Labels> {
  if (use === 'LoadBalancer') return {};
  const node = await store.node(owner.host);
  if (node) return node.labels;
  throw new EngineError('not-found', `there is no node ${owner.host}`, {
    details: { node: owner.host },
  });
}

async function giveUp(context: EngineContext, owner: BlockOwner, cidr: Cidr): Promise<void> {
  try {
    await releaseWithRetries(context, { owner, cidr, mustBeEmpty: true });
  } catch (error) {
    if (!isKept(error)) throw error;
  }
}
