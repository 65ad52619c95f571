import type { WritableDatastore } from '../datastore/datastore.ts';
import type { IpamSettings } from '../ipam/allocator/config-rules.ts';
import { type PoolUsage, poolUsages } from '../ipam/allocator/pool-usage.ts';
import type { BlockOwner } from '../ipam/block-owner.ts';
import type { BlockRow } from '../ipam/model/block.ts';
import type { Address } from '../net/address.ts';
import type { Cidr } from '../net/cidr.ts';
import { type AssignAddressRequest, assignGivenAddress } from './assign-address.ts';
import {
  type AssignmentAttributes,
  type OwnerRequest,
  readAssignment,
  writeOwners,
} from './assignment-attributes.ts';
import { autoAssign, type AutoAssignRequest, type AutoAssignResult } from './auto-assign.ts';
import { claimRange, type ClaimResult, releaseRange } from './claim-range.ts';
import { collectColdAddresses } from './collect-cold.ts';
import { readSettings, writeSettings } from './configuration.ts';
import { type EngineClock, type EngineContext, withNanoseconds } from './engine-context.ts';
import { ensureBlocks, type EnsureRequest } from './ensure-block.ts';
import { addressesOfHandle } from './handle-addresses.ts';
import {
  releaseAffinitiesIn,
  releaseAffinitiesOf,
  releaseAffinityOfBlock,
} from './release-affinities.ts';
import {
  releaseGivenAddresses,
  type ReleaseOption,
  type ReleaseResult,
} from './release-addresses.ts';
import { releaseAllOfHandle } from './release-by-handle.ts';
import { removeHost } from './remove-host.ts';
import { ReservedAddresses } from './reserved-addresses.ts';
import { RowStore } from './row-store.ts';
import { labelAffinitiesOf } from './upgrade-host.ts';

/** What an engine is made of. */
export interface EngineOptions {
  readonly datastore: WritableDatastore;
  readonly clock: EngineClock;
  /** Ends what is running between two requests; what was written stays. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Calico's IPAM library: assigns and releases addresses and blocks in the same rows, in the same order of writes and under
 * the same rules, so that it may run at the same time as Calico itself. Every write is conditional on what was read, and
 * lost races are run again.
 *
 * Every method throws {@link EngineError} with a category when it refuses, and the datastore's own errors otherwise.
 */
export class IpamEngine {
  readonly #context: EngineContext;

  constructor({ datastore, clock, signal }: EngineOptions) {
    this.#context = { store: new RowStore({ datastore, signal }), clock: withNanoseconds(clock) };
  }

  /** Assigns free addresses to a host. Getting fewer than asked for is no error, and an error undoes nothing. */
  async autoAssign(request: AutoAssignRequest): Promise<AutoAssignResult> {
    return this.#writing(() => autoAssign(this.#context, request));
  }

  /** Assigns one given address. */
  async assignAddress(request: AssignAddressRequest): Promise<void> {
    return this.#writing(() => assignGivenAddress(this.#context, request));
  }

  /** Releases addresses, all or none of each block. */
  async releaseAddresses(options: readonly ReleaseOption[]): Promise<ReleaseResult> {
    return this.#writing(() => releaseGivenAddresses(this.#context, options));
  }

  /** Releases all addresses of a handle. */
  async releaseByHandle(handle: string): Promise<void> {
    return this.#writing(() => releaseAllOfHandle(this.#context, handle));
  }

  /** Addresses that a handle holds, block by block. */
  async addressesOfHandle(handle: string): Promise<readonly Address[]> {
    return addressesOfHandle(this.#context, handle);
  }

  /** Who holds an address. */
  async assignmentOf(address: Address): Promise<AssignmentAttributes> {
    return readAssignment(this.#context, address);
  }

  /** Changes the owners of an address, if they are as expected. */
  async setOwners(request: OwnerRequest): Promise<void> {
    return this.#writing(() => writeOwners(this.#context, request));
  }

  /** Claims every block of a range. */
  async claimAffinity(owner: BlockOwner, range: Cidr): Promise<ClaimResult> {
    return this.#writing(() => claimRange(this.#context, owner, range));
  }

  /** Releases every block of a range from a host. */
  async releaseAffinity(host: string, range: Cidr, mustBeEmpty = false): Promise<void> {
    return this.#writing(() => releaseRange(this.#context, { host, range, mustBeEmpty }));
  }

  /** Releases all blocks of an owner. */
  async releaseHostAffinities(owner: BlockOwner, mustBeEmpty = false): Promise<void> {
    return this.#writing(() => releaseAffinitiesOf(this.#context, owner, mustBeEmpty));
  }

  /** Releases all blocks in the range of a pool, whoever owns them. */
  async releasePoolAffinities(range: Cidr): Promise<void> {
    return this.#writing(() => releaseAffinitiesIn(this.#context, range));
  }

  /** Releases one block, as it was read, from its owner. */
  async releaseBlockAffinity(block: BlockRow, mustBeEmpty = false): Promise<void> {
    return this.#writing(() => releaseAffinityOfBlock(this.#context, block, mustBeEmpty));
  }

  /** Releases all blocks of an owner that is gone; its addresses stay. */
  async removeHost(owner: BlockOwner): Promise<void> {
    return this.#writing(() => removeHost(this.#context, owner));
  }

  /** Makes sure that a host has a block of each IP version that is given. */
  async ensureBlocks(
    request: EnsureRequest,
  ): Promise<{ readonly v4?: Cidr | undefined; readonly v6?: Cidr | undefined }> {
    return this.#writing(() => ensureBlocks(this.#context, request));
  }

  /** Labels the affinities that an old release wrote for a host. */
  async upgradeHost(host: string): Promise<void> {
    return this.#writing(() => labelAffinitiesOf(this.#context, host));
  }

  /** Returns the addresses of a block, as it was read, whose cooldown is over; whether there were any. */
  async collectCold(
    config: Pick<IpamSettings, 'ipCooldownSeconds'>,
    block: BlockRow,
  ): Promise<boolean> {
    return this.#writing(() => collectColdAddresses(this.#context, config, block));
  }

  /** The settings of IPAM. */
  async settings(): Promise<IpamSettings> {
    return readSettings(this.#context);
  }

  /** Changes the settings of IPAM. */
  async setSettings(settings: IpamSettings): Promise<void> {
    return this.#writing(() => writeSettings(this.#context, settings));
  }

  /** How full pools are: those of these names or prefixes, or all. */
  async utilization(wanted?: readonly string[]): Promise<readonly PoolUsage[]> {
    const { store } = this.#context;
    const { set: reserved } = await ReservedAddresses.read(this.#context);
    return poolUsages({
      pools: await store.pools(),
      blocks: await store.blocks(),
      reserved,
      wanted,
    });
  }

  /** The block of a prefix; undefined when there is none. */
  async block(cidr: Cidr): Promise<BlockRow | undefined> {
    return this.#context.store.block(cidr);
  }

  /** What was written lasts, also when the rest failed. */
  async #writing<T>(operation: () => Promise<T>): Promise<T> {
    try {
      return await operation();
    } finally {
      await this.#context.store.flush();
    }
  }
}
