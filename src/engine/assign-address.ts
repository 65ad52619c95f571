import { EngineError, isEngineError } from '../errors/engine-error.ts';
import { assignAddress } from '../ipam/allocator/assign.ts';
import type { Holder, OwnerAttributes } from '../ipam/allocator/attribute-records.ts';
import { attributeAt, blockOf, ordinalIn } from '../ipam/allocator/block-content.ts';
import { collectCooled } from '../ipam/allocator/collect-cooled.ts';
import type { HostReservation } from '../ipam/allocator/host-reservation.ts';
import { enabledPools, poolOf } from '../ipam/allocator/select-pools.ts';
import type { BlockOwner } from '../ipam/block-owner.ts';
import type { BlockRow } from '../ipam/model/block.ts';
import type { PoolRow } from '../ipam/model/pool.ts';
import { type Address, familyOf, formatAddress } from '../net/address.ts';
import { type Cidr, formatCidr } from '../net/cidr.ts';
import { claimBlock, pendingAffinity } from './claim-block.ts';
import {
  coolingOf,
  type EngineConfig,
  type EngineContext,
  readConfig,
  RETRIES,
} from './engine-context.ts';
import { addressesOfHandle } from './handle-addresses.ts';
import { lowerHandle, raiseHandle } from './handle-index.ts';
import { isConflict, isNotFound, outOfTries, withRetries } from './lost-race.ts';
import { writeOrUndo } from './write-or-undo.ts';

/** A request for one address. */
export interface AssignAddressRequest {
  readonly address: Address;
  readonly host: string;
  readonly handle?: string | undefined;
  readonly attributes?: OwnerAttributes | undefined;
  /** What it is for; blank for whatever, then the pool's uses are not looked at. */
  readonly use?: string | undefined;
  /** Limit of the handle's addresses per IP version; 0 for none. */
  readonly maxPerHandle?: number | undefined;
  /** Addresses of a new block that the host keeps for itself. */
  readonly reservation?: HostReservation | undefined;
}

/**
 * Assigns a given address. Its block is claimed for the host if there is none. Selectors, reservations and limits of
 * blocks do not matter to an address that is asked for by name.
 *
 * @throws {@link EngineError} `pool-not-configured`, `use-not-allowed`, `exists`, `strict-affinity`,
 * `strict-affinity-unowned-block`, `handle-cap`, `claimed-by-other`, `max-retries`
 * Source: Calico libcalico-go lib/ipam, AssignIP.
 */
export async function assignGivenAddress(
  context: EngineContext,
  request: AssignAddressRequest,
): Promise<void> {
  const pool = await findPool(context, request.address);
  assertUse(pool, request);
  const cidr = blockOf(request.address, pool.blockSize);
  const config = await readConfig(context);
  for (let attempt = 1; attempt <= RETRIES; attempt++) {
    try {
      if (await attemptAssign(context, request, { cidr, config })) return;
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
  throw outOfTries(`assigning ${formatAddress(request.address)}`);
}

/**
 * The enabled pool that covers an address.
 *
 * @throws {@link EngineError} `pool-not-configured`
 */
export async function findPool({ store }: EngineContext, address: Address): Promise<PoolRow> {
  const pool = poolOf(enabledPools(await store.pools(), familyOf(address)), address);
  if (pool) return pool;
  const text = formatAddress(address);
  throw new EngineError('pool-not-configured', `the address ${text} is in no enabled pool`, {
    details: { address: text },
  });
}

function assertUse(pool: PoolRow, { use, address }: AssignAddressRequest): void {
  if (use === undefined || use === '' || pool.allowedUses.includes(use)) return;
  const allowed = pool.allowedUses.join(', ');
  throw new EngineError(
    'use-not-allowed',
    `the address ${formatAddress(address)} is in pool ${pool.key.name}, which is for ${allowed} and not for ${use}`,
  );
}

interface Place {
  readonly cidr: Cidr;
  readonly config: EngineConfig;
}

/** One try; false when the handle's addresses have to be looked at again. */
async function attemptAssign(
  context: EngineContext,
  request: AssignAddressRequest,
  { cidr, config }: Place,
): Promise<boolean> {
  const owner: BlockOwner = {
    type: request.use === 'LoadBalancer' ? 'virtual' : 'host',
    host: request.host,
  };
  const block = collectCooled(
    await loadOrClaim(context, request, { owner, cidr }),
    coolingOf(context, config),
  );
  const holder: Holder = { handle: request.handle, attributes: request.attributes };
  const onlyFor = config.strictAffinity ? owner : undefined;
  const assigned = tryAssign(block, request, { ...holder, onlyFor });
  if (!assigned) return true;
  const { handle } = request;
  if (handle === undefined) {
    await context.store.writeBlock(assigned);
    return true;
  }
  const change = { block: cidr, by: 1 };
  try {
    await raiseHandle(context, handle, {
      ...change,
      cap: { limit: request.maxPerHandle ?? 0, asked: 1 },
    });
  } catch (error) {
    if (!isEngineError(error, 'handle-cap')) throw error;
    return isHeldAlready(context, request, error);
  }
  await writeOrUndo(context, assigned, (cleaning) => lowerHandle(cleaning, handle, change));
  return true;
}

async function loadOrClaim(
  context: EngineContext,
  request: AssignAddressRequest,
  { owner, cidr }: { readonly owner: BlockOwner; readonly cidr: Cidr },
): Promise<BlockRow> {
  const block = await context.store.block(cidr);
  if (block) return block;
  // Whoever starts over from the block finds it there, and would leave its affinity unconfirmed.
  return withRetries(`claiming block ${formatCidr(cidr)}`, async () => {
    const affinity = await pendingAffinity(context, owner, cidr);
    return claimBlock(context, { owner, reservation: request.reservation }, affinity);
  });
}

/** The block with the address assigned; undefined when a limited handle holds that very address already. */
function tryAssign(
  block: BlockRow,
  request: AssignAddressRequest,
  holder: Holder & { readonly onlyFor: BlockOwner | undefined },
): BlockRow | undefined {
  try {
    return assignAddress(block, request.address, holder);
  } catch (error) {
    const isLimited = (request.maxPerHandle ?? 0) > 0 && request.handle !== undefined;
    if (!isLimited || !isEngineError(error, 'exists')) throw error;
    const record = attributeAt(block, ordinalIn(block, request.address));
    if (record?.handle !== request.handle) throw error;
    return undefined;
  }
}

/** At its limit a handle may hold the address already, or others; with none to be seen somebody is about to write one. */
async function isHeldAlready(
  context: EngineContext,
  { handle = '', address }: AssignAddressRequest,
  limit: EngineError,
): Promise<boolean> {
  const held = await addressesOfHandle(context, handle).catch((error: unknown) => {
    if (isNotFound(error)) return [];
    throw error;
  });
  const ofFamily = held.filter((one) => familyOf(one) === familyOf(address));
  if (ofFamily.includes(address)) return true;
  if (ofFamily.length > 0) throw limit;
  return false;
}
