import { EngineError } from '../errors/engine-error.ts';
import { countFree, isEmptyBlock } from '../ipam/allocator/block-content.ts';
import { candidateBlocks } from '../ipam/allocator/candidate-blocks.ts';
import { collectCooled, type Cooling } from '../ipam/allocator/collect-cooled.ts';
import { affinityText } from '../ipam/allocator/create-block.ts';
import { type BlockOwner, ownerOfAffinity } from '../ipam/block-owner.ts';
import type { BlockRow } from '../ipam/model/block.ts';
import type { PoolRow } from '../ipam/model/pool.ts';
import type { Address } from '../net/address.ts';
import type { Cidr } from '../net/cidr.ts';
import { type EngineContext, firstSequenceNumber } from './engine-context.ts';
import { isAboutRows } from './lost-race.ts';
import { releaseOnce } from './release-step.ts';
import type { ReservedAddresses } from './reserved-addresses.ts';

/** A block of another owner that was claimed less than this many milliseconds ago is not taken over. */
const MIN_RECLAIM_AGE_MS = 60_000;

/** Which block to pick. */
export interface BlockPick {
  readonly owner: BlockOwner;
  readonly pools: readonly PoolRow[];
  readonly reserved: ReservedAddresses;
  readonly cooling: Cooling;
}

/**
 * Picks the block that an owner claims next: the first place in its walk through the pools where there is no block, or
 * one of its own with free addresses. Else an empty block is taken from its owner. Nothing is held for the caller: the
 * claim decides.
 *
 * @throws {@link EngineError} `no-free-blocks`
 * Source: Calico libcalico-go lib/ipam, search for a usable block.
 */
export async function pickBlock(context: EngineContext, pick: BlockPick): Promise<Cidr> {
  const blocks = await indexBlocks(context);
  const empty: BlockRow[] = [];
  for (const cidr of walk(context, pick)) {
    if (pick.reserved.covers(cidr)) continue;
    const stored = blocks.get(cidr.base)?.find((block) => block.cidr.length === cidr.length);
    if (!stored) return cidr;
    const block = collectCooled(stored, pick.cooling);
    if (countFree(block, pick.reserved.testFor(cidr)) === 0) continue;
    if (block.affinity === affinityText(pick.owner)) return cidr;
    if (isEmptyBlock(block)) empty.push(block);
  }
  for (const block of empty)
    if (await isTakenOver(context, block, pick.cooling.now)) return block.cidr;
  throw new EngineError('no-free-blocks', 'the pools hold no block that could be claimed');
}

/** Every block of the pools in the order in which this host tries them. */
function* walk(context: EngineContext, { owner, pools }: BlockPick): Generator<Cidr> {
  for (const pool of pools) {
    yield* candidateBlocks(pool, {
      host: owner.host,
      singleAddressSeed: firstSequenceNumber(context),
    });
  }
}

async function indexBlocks({
  store,
}: EngineContext): Promise<ReadonlyMap<Address, readonly BlockRow[]>> {
  const index = new Map<Address, BlockRow[]>();
  for (const block of await store.blocks()) {
    const same = index.get(block.cidr.base);
    if (same) same.push(block);
    else index.set(block.cidr.base, [block]);
  }
  return index;
}

/** The sequence number makes sure that two hosts do not take each other's fresh block. */
async function isTakenOver(context: EngineContext, block: BlockRow, now: number): Promise<boolean> {
  const owner = ownerOfAffinity(block.affinity);
  const isYoung = block.claimedAt !== undefined && now - block.claimedAt < MIN_RECLAIM_AGE_MS;
  if (!owner || isYoung) return false;
  try {
    await releaseOnce(context, {
      owner,
      cidr: block.cidr,
      mustBeEmpty: true,
      sequenceNumber: block.sequenceNumber,
    });
    return true;
  } catch (error) {
    if (!isAboutRows(error)) throw error;
    return false;
  }
}
