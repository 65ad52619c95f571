import { EngineError } from '../errors/engine-error.ts';
import { blockOf, isEmptyBlock } from '../ipam/allocator/block-content.ts';
import { collectCooled } from '../ipam/allocator/collect-cooled.ts';
import { type AddressRelease, releaseAddresses } from '../ipam/allocator/release.ts';
import { poolOf } from '../ipam/allocator/select-pools.ts';
import { comparableHandleId } from '../ipam/handle-id.ts';
import type { BlockRow } from '../ipam/model/block.ts';
import type { PoolRow } from '../ipam/model/pool.ts';
import { type Address, parseAddress } from '../net/address.ts';
import { type Cidr, containsAddress, formatCidr } from '../net/cidr.ts';
import { followRelease } from './after-release.ts';
import { coolingOf, type EngineConfig, type EngineContext, readConfig } from './engine-context.ts';
import { withRetries } from './lost-race.ts';

/** One address to release, and what must still be true of it. */
export interface ReleaseOption {
  readonly address: string;
  /** Blank for whatever. */
  readonly handle?: string | undefined;
  readonly sequenceNumber?: bigint | undefined;
}

/** What a release did. */
export interface ReleaseResult {
  /** Options that are done: released now, or free or cooling before. Their handles are cut at a control character. */
  readonly released: readonly ReleaseOption[];
  /** Addresses that were free or cooling before, or that no block holds; one for each option. */
  readonly unallocated: readonly string[];
  /** The first failure; blocks after it were released all the same. */
  readonly error?: unknown;
}

/** An option with what its text says. */
interface Parsed {
  readonly option: ReleaseOption;
  readonly address: Address;
}

/**
 * Releases addresses: all of one block or none of it, and each block on its own, one after the other. An address that is
 * free or cooling already counts as done.
 *
 * @throws {@link EngineError} `missing-address` or `bad-address` before anything is released.
 * Source: Calico libcalico-go lib/ipam, ReleaseIPs.
 */
export async function releaseGivenAddresses(
  context: EngineContext,
  options: readonly ReleaseOption[],
): Promise<ReleaseResult> {
  const parsed = options.map(parseOption);
  const pools = await context.store.pools();
  const config = await readConfig(context);
  const { groups, nowhere } = await groupByBlock(context, parsed, pools);
  const released: ReleaseOption[] = [];
  const unallocated: string[] = nowhere.map(({ option }) => option.address);
  let failure: { readonly error: unknown } | undefined;
  for (const { cidr, members } of groups) {
    try {
      const free = await releaseInBlock(context, members, { cidr, config, pools });
      released.push(...members.map(({ option }) => option));
      unallocated.push(
        ...members.filter(({ address }) => free.has(address)).map(({ option }) => option.address),
      );
    } catch (error) {
      failure ??= { error };
    }
  }
  return { released, unallocated, error: failure?.error };
}

function parseOption(option: ReleaseOption): Parsed {
  if (option.address === '')
    throw new EngineError('missing-address', 'an address to release is blank');
  const address = parseAddress(option.address);
  if (address === undefined)
    throw new EngineError('bad-address', `"${option.address}" is no address`);
  const handle = option.handle ? comparableHandleId(option.handle) : undefined;
  return { option: { ...option, handle }, address };
}

interface Group {
  readonly cidr: Cidr;
  readonly members: Parsed[];
}

/** Every pool counts, enabled or not; without one the block that holds the address is looked for. */
async function groupByBlock(
  { store }: EngineContext,
  parsed: readonly Parsed[],
  pools: readonly PoolRow[],
): Promise<{ readonly groups: readonly Group[]; readonly nowhere: readonly Parsed[] }> {
  const groups = new Map<string, Group>();
  const nowhere: Parsed[] = [];
  let blocks: readonly BlockRow[] | undefined;
  for (const one of parsed) {
    const pool = poolOf(pools, one.address);
    if (!pool) blocks ??= await store.blocks();
    const cidr = pool
      ? blockOf(one.address, pool.blockSize)
      : blocks?.find((block) => containsAddress(block.cidr, one.address))?.cidr;
    if (!cidr) {
      nowhere.push(one);
      continue;
    }
    const name = formatCidr(cidr);
    const group = groups.get(name);
    if (group) group.members.push(one);
    else groups.set(name, { cidr, members: [one] });
  }
  return { groups: [...groups.values()], nowhere };
}

interface BlockPlace {
  readonly cidr: Cidr;
  readonly config: EngineConfig;
  readonly pools: readonly PoolRow[];
}

/** Releases the addresses of one block and gives those that were free or cooling before. */
async function releaseInBlock(
  context: EngineContext,
  members: readonly Parsed[],
  { cidr, config, pools }: BlockPlace,
): Promise<ReadonlySet<Address>> {
  const releases = members.map(({ option, address }): AddressRelease => ({ ...option, address }));
  const outcome = await withRetries(
    `releasing addresses of block ${formatCidr(cidr)}`,
    async () => {
      const stored = await context.store.block(cidr);
      if (!stored) return undefined;
      const cooling = coolingOf(context, config);
      // An address whose cooldown is over is free and has no number any more, whatever the row still says.
      const block = collectCooled(stored, cooling);
      const result = releaseAddresses(block, releases, cooling);
      if (result.block !== block) await storeReleased(context, result.block);
      return { ...result, isWritten: result.block !== block };
    },
  );
  if (!outcome) return new Set(members.map(({ address }) => address));
  if (outcome.isWritten) await followRelease(context, outcome, pools);
  return new Set(outcome.unallocated);
}

/** Stores a block from which addresses were released; an empty one that belongs to nobody goes. */
export async function storeReleased({ store }: EngineContext, block: BlockRow): Promise<void> {
  if (block.affinity === undefined && isEmptyBlock(block)) await store.removeIfThere(block);
  else await store.writeBlock(block);
}
