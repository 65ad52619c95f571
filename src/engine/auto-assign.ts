import { EngineError } from '../errors/engine-error.ts';
import type { OwnerAttributes } from '../ipam/allocator/attribute-records.ts';
import { blockCap } from '../ipam/allocator/block-cap.ts';
import type { HostReservation } from '../ipam/allocator/host-reservation.ts';
import type { BlockOwner } from '../ipam/block-owner.ts';
import type { Labels } from '../ipam/selector/evaluate.ts';
import type { Family } from '../net/address.ts';
import type { Cidr } from '../net/cidr.ts';
import { BlockFinder } from './block-finder.ts';
import { type EngineContext, readConfig } from './engine-context.ts';
import { FamilyAssigner, type FamilyOptions } from './family-assigner.ts';
import type { FamilyAssignment } from './partial-result.ts';
import { type BlockRequest, prepareBlocks } from './prepare-blocks.ts';
import { ReservedAddresses } from './reserved-addresses.ts';

/** What is asked for of one IP version. */
export interface FamilyRequest {
  /** 0 for none. */
  readonly count: number;
  /** Pools to take from, by their prefix and in this order; none for any pool that selects node and namespace. */
  readonly pools?: readonly Cidr[] | undefined;
  /** Addresses of new blocks that the host keeps for itself. */
  readonly reservation?: HostReservation | undefined;
}

/** A request for any free addresses. */
export interface AutoAssignRequest {
  readonly host: string;
  /** What the addresses are for, such as `Workload`; a pool has to allow it. */
  readonly use: string;
  readonly v4?: FamilyRequest | undefined;
  readonly v6?: FamilyRequest | undefined;
  /** Undefined for none, which differs from an empty one. */
  readonly handle?: string | undefined;
  readonly attributes?: OwnerAttributes | undefined;
  /** Limit of the host's blocks per IP version for this request; 0 for none. */
  readonly maxBlocksPerHost?: number | undefined;
  /** Limit of the handle's addresses per IP version; 0 for none. */
  readonly maxPerHandle?: number | undefined;
  readonly namespaceLabels?: Labels | undefined;
}

/** What a request got. A version that was not asked for, or failed before anything was taken, is absent. */
export interface AutoAssignResult {
  readonly v4?: FamilyAssignment | undefined;
  readonly v6?: FamilyAssignment | undefined;
  /** What ended the request; what it got until then stays assigned. */
  readonly error?: unknown;
}

/**
 * Assigns free addresses, IPv4 first; IPv6 follows only if that did not fail. Nothing is taken back after an error.
 *
 * Source: Calico libcalico-go lib/ipam, AutoAssign.
 */
export async function autoAssign(
  context: EngineContext,
  request: AutoAssignRequest,
): Promise<AutoAssignResult> {
  if (request.use === '')
    return { error: new EngineError('use-required', 'it is not said what the addresses are for') };
  const v4 = await assignFamily(context, request, 4);
  if (v4.error !== undefined) return { v4: v4.result, error: v4.error };
  const v6 = await assignFamily(context, request, 6);
  // The original gives up the answer for IPv4, too, when the pools for IPv6 were named wrongly.
  const isWrongFamily =
    v6.error instanceof EngineError && v6.error.category === 'wrong-family-pool';
  return { v4: isWrongFamily ? undefined : v4.result, v6: v6.result, error: v6.error };
}

interface FamilyOutcome {
  readonly result?: FamilyAssignment | undefined;
  readonly error?: unknown;
}

async function assignFamily(
  context: EngineContext,
  request: AutoAssignRequest,
  family: Family,
): Promise<FamilyOutcome> {
  const wanted = family === 4 ? request.v4 : request.v6;
  if (!wanted || wanted.count <= 0) return {};
  let assigner: FamilyAssigner | undefined;
  try {
    assigner = new FamilyAssigner(context, await prepare(context, request, { family, wanted }));
    await assigner.run();
    return { result: assigner.result };
  } catch (error) {
    return { result: assigner?.result, error };
  }
}

async function prepare(
  context: EngineContext,
  request: AutoAssignRequest,
  { family, wanted }: { readonly family: Family; readonly wanted: FamilyRequest },
): Promise<FamilyOptions> {
  const config = await readConfig(context);
  const reserved = await ReservedAddresses.read(context);
  const owner = ownerFor(request);
  const blocks: BlockRequest = {
    owner,
    family,
    use: request.use,
    pools: wanted.pools ?? [],
    namespaceLabels: request.namespaceLabels,
    reservation: wanted.reservation,
  };
  const prepared = await prepareBlocks(context, blocks);
  const claimant = { owner, reservation: wanted.reservation };
  return {
    request: blocks,
    holder: { handle: request.handle, attributes: request.attributes },
    count: wanted.count,
    maxPerHandle: request.maxPerHandle ?? 0,
    blockCap: blockCap(config.maxBlocksPerHost, request.maxBlocksPerHost ?? 0),
    config,
    prepared,
    reserved,
    finder: new BlockFinder(context, { claimant, prepared, config, reserved, minFree: 1 }),
  };
}

/** Blocks for load balancers belong to no node. */
function ownerFor({ host, use }: AutoAssignRequest): BlockOwner {
  return { type: use === 'LoadBalancer' ? 'virtual' : 'host', host };
}
