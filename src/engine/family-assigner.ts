import { isEngineError } from '../errors/engine-error.ts';
import type { Holder } from '../ipam/allocator/attribute-records.ts';
import { candidateBlocks } from '../ipam/allocator/candidate-blocks.ts';
import type { BlockRow } from '../ipam/model/block.ts';
import type { PoolRow } from '../ipam/model/pool.ts';
import { type Address, bitsOf } from '../net/address.ts';
import type { Cidr } from '../net/cidr.ts';
import type { BlockFinder, FoundBlock } from './block-finder.ts';
import {
  type EngineConfig,
  type EngineContext,
  firstSequenceNumber,
  RETRIES,
} from './engine-context.ts';
import { heldAddresses } from './handle-addresses.ts';
import { isAboutRows, isConflict } from './lost-race.ts';
import { type AssignedAddress, type FamilyAssignment, ShortfallReasons } from './partial-result.ts';
import type { BlockRequest, PreparedBlocks } from './prepare-blocks.ts';
import type { ReservedAddresses } from './reserved-addresses.ts';
import { takeAddresses } from './take-addresses.ts';

/** Everything that an automatic assignment of one IP version is made with. */
export interface FamilyOptions {
  readonly request: BlockRequest;
  readonly holder: Holder;
  readonly count: number;
  readonly maxPerHandle: number;
  /** Most blocks that the owner may have. */
  readonly blockCap: number;
  readonly config: EngineConfig;
  readonly prepared: PreparedBlocks;
  readonly reserved: ReservedAddresses;
  readonly finder: BlockFinder;
}

/** A handle that may hold no more has what was asked for already; `undefined` for a block that gave what it could. */
type BlockOutcome = 'held' | 'changed' | undefined;

/**
 * Gathers addresses of one IP version: from the owner's blocks, from blocks that it claims, and, without strict affinity,
 * from blocks of others.
 *
 * Source: Calico libcalico-go lib/ipam, automatic assignment.
 */
export class FamilyAssigner {
  readonly #context: EngineContext;
  readonly #options: FamilyOptions;
  readonly #reasons = new ShortfallReasons();
  #assigned: readonly AssignedAddress[] = [];
  #blocksOwned: number;

  constructor(context: EngineContext, options: FamilyOptions) {
    this.#context = context;
    this.#options = options;
    this.#blocksOwned = options.prepared.affine.length;
  }

  /** What was got so far; it stays assigned whatever happens. */
  get result(): FamilyAssignment {
    const { request, count } = this.#options;
    return {
      version: request.family,
      requested: count,
      addresses: this.#assigned,
      reasons: this.#reasons.list(),
      reservedHandle: request.reservation?.handle,
    };
  }

  /** Gathers what there is. @throws {@link EngineError} `block-limit` and others; {@link result} has what was got. */
  async run(): Promise<void> {
    await this.#fromOwnBlocks();
    if (!this.#options.config.strictAffinity) await this.#borrow();
  }

  get #missing(): number {
    return this.#options.count - this.#assigned.length;
  }

  async #fromOwnBlocks(): Promise<void> {
    while (this.#missing > 0) {
      const found = await this.#nextBlock();
      if (!found) return;
      if (found.isClaimed) this.#blocksOwned++;
      await this.#drain(found.block);
    }
  }

  /** The next block; undefined when there is none to be had. */
  async #nextBlock(): Promise<FoundBlock | undefined> {
    const { finder, blockCap, config } = this.#options;
    try {
      return await finder.next(this.#blocksOwned < blockCap);
    } catch (error) {
      if (isEngineError(error, 'block-limit'))
        this.#reasons.add({ about: 'block-limit', limit: blockCap });
      if (!isEngineError(error, 'no-free-blocks')) throw error;
      if (config.strictAffinity) this.#reasons.add({ about: 'strict-affinity' });
      return undefined;
    }
  }

  /** Takes what an own block gives; if it changes in between, it is read again. */
  async #drain(found: BlockRow): Promise<void> {
    let block: BlockRow | undefined = found;
    for (let attempt = 1; block && attempt <= RETRIES; attempt++) {
      try {
        if ((await this.#take(block, true)) !== 'changed') return;
      } catch (error) {
        if (!isAboutRows(error)) throw error;
        this.#reasons.add({ about: 'assign-failed' });
        return;
      }
      block = await this.#read(block.cidr);
    }
  }

  async #take(block: BlockRow, isOwn: boolean): Promise<BlockOutcome> {
    const { holder, config, reserved, request, maxPerHandle } = this.#options;
    try {
      const addresses = await takeAddresses(this.#context, block, {
        holder,
        count: this.#missing,
        config,
        isReserved: reserved.testFor(block.cidr),
        onlyFor: isOwn && config.strictAffinity ? request.owner : undefined,
        maxPerHandle,
      });
      this.#add(addresses, block.cidr.length);
      return undefined;
    } catch (error) {
      if (isConflict(error)) return 'changed';
      if (!isEngineError(error, 'handle-cap')) throw error;
      return this.#takeHeld();
    }
  }

  /** Where a handle may not get more, what it has is the answer, so that two requests for it end with one address. */
  async #takeHeld(): Promise<BlockOutcome> {
    const { holder, request, count, maxPerHandle } = this.#options;
    const held = await heldAddresses(this.#context, holder.handle ?? '', {
      family: request.family,
      count,
    });
    if (held) {
      const length = bitsOf(request.family);
      this.#assigned = held.map((address) => ({ address, length }));
      return 'held';
    }
    // More than it may ever hold: no other look at the rows will change that.
    return count > maxPerHandle ? undefined : 'changed';
  }

  #add(addresses: readonly Address[], length: number): void {
    this.#assigned = [...this.#assigned, ...addresses.map((address) => ({ address, length }))];
  }

  async #borrow(): Promise<void> {
    const exhausted: PoolRow[] = [];
    for (const pool of this.#options.prepared.pools) {
      if (this.#missing <= 0) break;
      await this.#borrowFrom(pool);
      if (this.#missing > 0) exhausted.push(pool);
    }
    if (exhausted.length === 0) return;
    this.#reasons.add({ about: 'pools-exhausted', pools: exhausted.map(({ cidr }) => cidr) });
  }

  async #borrowFrom(pool: PoolRow): Promise<void> {
    const { request, reserved } = this.#options;
    const walk = candidateBlocks(pool, {
      host: request.owner.host,
      singleAddressSeed: firstSequenceNumber(this.#context),
    });
    for (const cidr of walk) {
      if (this.#missing <= 0) return;
      if (!reserved.covers(cidr)) await this.#borrowFromBlock(cidr);
    }
  }

  async #borrowFromBlock(cidr: Cidr): Promise<void> {
    for (let attempt = 1; attempt <= RETRIES; attempt++) {
      const block = await this.#read(cidr);
      if (!block) return;
      try {
        if ((await this.#take(block, false)) !== 'changed') return;
      } catch (error) {
        if (!isAboutRows(error)) throw error;
        return;
      }
    }
  }

  async #read(cidr: Cidr): Promise<BlockRow | undefined> {
    try {
      return await this.#context.store.block(cidr);
    } catch (error) {
      if (isAboutRows(error)) return undefined;
      throw error;
    }
  }
}
