import { EngineError } from '../errors/engine-error.ts';
import { ordinalsOfHandle } from '../ipam/allocator/release.ts';
import { addressOfOrdinal } from '../ipam/allocator/block-content.ts';
import { type Address, type Family, familyOf } from '../net/address.ts';
import type { EngineContext } from './engine-context.ts';
import { isAboutRows, isNotFound } from './lost-race.ts';

/**
 * Addresses that a handle holds. The handle names the blocks, and the blocks say what it holds; its counts may be too
 * high. A block that cannot be read is left out.
 *
 * @throws {@link EngineError} `not-found` when there is no such handle, `empty-handle`
 * Source: Calico libcalico-go lib/ipam, addresses of a handle.
 */
export async function addressesOfHandle(
  { store }: EngineContext,
  handle: string,
): Promise<readonly Address[]> {
  if (handle === '') throw new EngineError('empty-handle', 'an empty text is no handle');
  const row = await store.handle(handle);
  if (!row)
    throw new EngineError('not-found', `there is no handle "${handle}"`, { details: { handle } });
  const addresses: Address[] = [];
  for (const { cidr } of row.counts) {
    if (!cidr) continue;
    const block = await store.block(cidr).catch((error: unknown) => {
      if (isAboutRows(error)) return undefined;
      throw error;
    });
    if (!block) continue;
    addresses.push(
      ...ordinalsOfHandle(block, handle).map((ordinal) => addressOfOrdinal(block, ordinal)),
    );
  }
  return addresses;
}

/**
 * Addresses of a family that a handle has got already, as many as are wanted, where it may not get more; undefined while
 * it has less, because somebody has raised the handle and not written the block yet.
 */
export async function heldAddresses(
  context: EngineContext,
  handle: string,
  wanted: { readonly family: Family; readonly count: number },
): Promise<readonly Address[] | undefined> {
  try {
    const held = (await addressesOfHandle(context, handle)).filter(
      (address) => familyOf(address) === wanted.family,
    );
    return held.length >= wanted.count ? held.slice(0, wanted.count) : undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
