import { EngineError } from '../errors/engine-error.ts';
import type { OwnerAttributes } from '../ipam/allocator/attribute-records.ts';
import { attributeAt, blockOf, isCooling, ordinalIn } from '../ipam/allocator/block-content.ts';
import { collectCooled } from '../ipam/allocator/collect-cooled.ts';
import {
  assertConsistent,
  changeOwners,
  type OwnerPreconditions,
  type OwnerUpdates,
} from '../ipam/allocator/owner-attributes.ts';
import { comparableHandleId } from '../ipam/handle-id.ts';
import { type Address, formatAddress } from '../net/address.ts';
import { findPool } from './assign-address.ts';
import { coolingOf, type EngineContext, readConfig } from './engine-context.ts';
import { withRetries } from './lost-race.ts';

/** Who holds an address. */
export interface AssignmentAttributes {
  /** Cut at a control character; undefined when it was assigned without one. */
  readonly handle?: string | undefined;
  readonly active?: OwnerAttributes | undefined;
  readonly alternate?: OwnerAttributes | undefined;
}

/**
 * Who holds an address.
 *
 * @throws {@link EngineError} `not-found` when nobody does, or it is in no enabled pool; `in-cooldown`
 * Source: Calico libcalico-go lib/ipam, GetAssignmentAttributes.
 */
export async function readAssignment(
  context: EngineContext,
  address: Address,
): Promise<AssignmentAttributes> {
  const text = formatAddress(address);
  const pool = await findPool(context, address).catch((error: unknown) => {
    if (error instanceof EngineError)
      throw new EngineError('not-found', `the address ${text} is in no enabled pool`);
    throw error;
  });
  const stored = await context.store.block(blockOf(address, pool.blockSize));
  const block = stored && collectCooled(stored, coolingOf(context, await readConfig(context)));
  const record = block && attributeAt(block, ordinalIn(block, address));
  if (!record) throw new EngineError('not-found', `the address ${text} is not assigned`);
  if (isCooling(record)) throw new EngineError('in-cooldown', `the address ${text} is in cooldown`);
  return {
    handle: record.handle === undefined ? undefined : comparableHandleId(record.handle),
    active: Object.keys(record.owner).length === 0 ? undefined : record.owner,
    alternate: record.alternateOwner,
  };
}

/** A change of the owners of one address. */
export interface OwnerRequest {
  readonly address: Address;
  /** Handle that the address must have. */
  readonly handle: string;
  readonly updates?: OwnerUpdates | undefined;
  readonly preconditions?: OwnerPreconditions | undefined;
}

/**
 * Changes the owners of an address, if they are as expected. A change of nothing is written, too.
 *
 * @throws {@link EngineError} `missing-updates`, `contradictory-arguments`, `pool-not-configured`, `not-found`,
 * `wrong-handle`, `owner-precondition`, `max-retries`
 * Source: Calico libcalico-go lib/ipam, SetOwnerAttributes.
 */
export async function writeOwners(context: EngineContext, request: OwnerRequest): Promise<void> {
  const { address, handle, updates, preconditions } = request;
  if (!updates) throw new EngineError('missing-updates', 'it is not said what to change');
  assertConsistent(updates, preconditions);
  const pool = await findPool(context, address);
  const config = await readConfig(context);
  await withRetries(`changing the owner of ${formatAddress(address)}`, async () => {
    const stored = await context.store.block(blockOf(address, pool.blockSize));
    if (!stored)
      throw new EngineError('not-found', `the address ${formatAddress(address)} is not assigned`);
    const block = collectCooled(stored, coolingOf(context, config));
    await context.store.writeBlock(
      changeOwners(block, { address, handle, updates, preconditions }),
    );
  });
}
