import type { HostReservation } from '../ipam/allocator/host-reservation.ts';
import type { Family } from '../net/address.ts';
import type { Cidr } from '../net/cidr.ts';
import { BlockFinder } from './block-finder.ts';
import { type EngineContext, readConfig } from './engine-context.ts';
import { prepareBlocks } from './prepare-blocks.ts';
import { ReservedAddresses } from './reserved-addresses.ts';

/** What a host wants of one IP version. */
export interface EnsureFamily {
  readonly pools?: readonly Cidr[] | undefined;
  readonly reservation: HostReservation;
}

/** A host that is to have a block of each version that is given. */
export interface EnsureRequest {
  readonly host: string;
  readonly v4?: EnsureFamily | undefined;
  readonly v6?: EnsureFamily | undefined;
}

/**
 * Makes sure that a host has a block, full or not, and gives it; no limit of blocks counts.
 *
 * @throws {@link EngineError} `no-free-blocks` and what pool selection throws.
 * Source: Calico libcalico-go lib/ipam, EnsureBlock.
 */
export async function ensureBlocks(
  context: EngineContext,
  request: EnsureRequest,
): Promise<{ readonly v4?: Cidr | undefined; readonly v6?: Cidr | undefined }> {
  const v4 =
    request.v4 && (await ensureFamily(context, request.host, { ...request.v4, family: 4 }));
  const v6 =
    request.v6 && (await ensureFamily(context, request.host, { ...request.v6, family: 6 }));
  return { v4, v6 };
}

async function ensureFamily(
  context: EngineContext,
  host: string,
  { family, pools = [], reservation }: EnsureFamily & { readonly family: Family },
): Promise<Cidr> {
  const owner = { type: 'host', host };
  const config = await readConfig(context);
  const reserved = await ReservedAddresses.read(context);
  const prepared = await prepareBlocks(context, {
    owner,
    family,
    use: 'Workload',
    pools,
    reservation,
  });
  const claimant = { owner, reservation };
  const finder = new BlockFinder(context, { claimant, prepared, config, reserved, minFree: 0 });
  return (await finder.next(true)).block.cidr;
}
