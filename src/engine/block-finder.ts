import { EngineError, isEngineError } from '../errors/engine-error.ts';
import { countFree } from '../ipam/allocator/block-content.ts';
import { collectCooled } from '../ipam/allocator/collect-cooled.ts';
import type { AffinityRow } from '../ipam/model/affinity.ts';
import type { BlockRow } from '../ipam/model/block.ts';
import { type Cidr, formatCidr } from '../net/cidr.ts';
import { blockOfAffinity, type Claimant, pendingAffinity } from './claim-block.ts';
import { coolingOf, type EngineConfig, type EngineContext, RETRIES } from './engine-context.ts';
import { isAboutRows, isConflict, outOfTries, withRetries } from './lost-race.ts';
import { pickBlock } from './pick-block.ts';
import type { PreparedBlocks } from './prepare-blocks.ts';
import type { ReservedAddresses } from './reserved-addresses.ts';

/** What a search for blocks works with. */
export interface FinderOptions {
  readonly claimant: Claimant;
  readonly prepared: PreparedBlocks;
  readonly config: EngineConfig;
  readonly reserved: ReservedAddresses;
  /** Addresses that a block must have free to be of use; 0 takes full ones. */
  readonly minFree: number;
}

/** A block to take addresses from. */
export interface FoundBlock {
  readonly block: BlockRow;
  /** Whether it was claimed just now; an own block that the pick came upon counts, too. */
  readonly isClaimed: boolean;
}

/**
 * Gives one block after the other to take addresses from: first those that the owner has, each once, then new ones.
 *
 * Source: Calico libcalico-go lib/ipam, finding or claiming a block.
 */
export class BlockFinder {
  readonly #context: EngineContext;
  readonly #options: FinderOptions;
  readonly #affine: Cidr[];

  constructor(context: EngineContext, options: FinderOptions) {
    this.#context = context;
    this.#options = options;
    this.#affine = [...options.prepared.affine];
  }

  /**
   * @param mayClaim Whether the owner is below its limit of blocks.
   * @throws {@link EngineError} `block-limit`, `no-block-and-no-auto-allocation`, `no-free-blocks`, `max-retries`
   */
  async next(mayClaim: boolean): Promise<FoundBlock> {
    for (let cidr = this.#affine.shift(); cidr; cidr = this.#affine.shift()) {
      const block = this.#options.reserved.covers(cidr) ? undefined : await this.#ownBlock(cidr);
      if (block) return { block, isClaimed: false };
    }
    if (!mayClaim)
      throw new EngineError('block-limit', `${this.#ownerName} owns as many blocks as it may`);
    if (!this.#options.config.autoAllocateBlocks) {
      throw new EngineError(
        'no-block-and-no-auto-allocation',
        `${this.#ownerName} has no block with free addresses, and blocks are not claimed automatically`,
      );
    }
    return { block: await this.#claim(), isClaimed: true };
  }

  get #ownerName(): string {
    return this.#options.claimant.owner.host;
  }

  /** An own block if it has enough free addresses; whatever is wrong with it, the next one may do. */
  async #ownBlock(cidr: Cidr): Promise<BlockRow | undefined> {
    try {
      const block = await withRetries(`loading block ${formatCidr(cidr)}`, async () => {
        const affinity = await this.#context.store.affinity(this.#options.claimant.owner, cidr);
        return affinity && this.#load(affinity);
      });
      return block && this.#countFree(block) >= this.#options.minFree ? block : undefined;
    } catch (error) {
      if (!isAboutRows(error)) throw error;
      return undefined;
    }
  }

  async #load(affinity: AffinityRow): Promise<BlockRow> {
    return blockOfAffinity(this.#context, this.#options.claimant, affinity);
  }

  async #claim(): Promise<BlockRow> {
    const { claimant, prepared, reserved, config } = this.#options;
    for (let attempt = 1; attempt <= RETRIES; attempt++) {
      const cidr = await pickBlock(this.#context, {
        owner: claimant.owner,
        pools: prepared.pools,
        reserved,
        cooling: coolingOf(this.#context, config),
      });
      const block = await this.#claimPicked(cidr);
      if (block) return this.#withEnough(block);
    }
    throw outOfTries(`claiming a block for ${claimant.owner.host}`);
  }

  /** The claimed block; undefined when another one has to be picked. */
  async #claimPicked(cidr: Cidr): Promise<BlockRow | undefined> {
    for (let attempt = 1; attempt <= RETRIES; attempt++) {
      try {
        return await this.#load(
          await pendingAffinity(this.#context, this.#options.claimant.owner, cidr),
        );
      } catch (error) {
        if (isEngineError(error, 'claimed-by-other', 'stale-affinity')) return undefined;
        if (!isConflict(error)) throw error;
      }
    }
    return undefined;
  }

  #withEnough(block: BlockRow): BlockRow {
    const free = this.#countFree(block);
    if (free >= this.#options.minFree) return block;
    throw new EngineError(
      'block-without-free-addresses',
      `the new block ${formatCidr(block.cidr)} has ${free} free addresses, and ${this.#options.minFree} are needed`,
    );
  }

  #countFree(block: BlockRow): number {
    const { config, reserved } = this.#options;
    return countFree(
      collectCooled(block, coolingOf(this.#context, config)),
      reserved.testFor(block.cidr),
    );
  }
}
