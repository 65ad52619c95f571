import {
  assignAddress,
  assignFromQueue,
  type AssignRequest,
} from '../../src/ipam/allocator/assign.ts';
import type { Holder } from '../../src/ipam/allocator/attribute-records.ts';
import { collectCooled, type Cooling } from '../../src/ipam/allocator/collect-cooled.ts';
import { createBlock } from '../../src/ipam/allocator/create-block.ts';
import type { HostReservation } from '../../src/ipam/allocator/host-reservation.ts';
import {
  type AddressRelease,
  type Released,
  releaseAddresses,
} from '../../src/ipam/allocator/release.ts';
import type { BlockRow } from '../../src/ipam/model/block.ts';
import { type Address, formatAddress } from '../../src/net/address.ts';
import { ip, net } from './builders.ts';

/** Released addresses are free at once. */
export const AT_ONCE: Cooling = { now: 0, cooldownSeconds: 0 };

/** A moment in seconds, with a cooldown in seconds. */
export function at(seconds: number, cooldownSeconds: number): Cooling {
  return { now: seconds * 1000, cooldownSeconds };
}

/** A new block of node-a. */
export function newBlock(
  cidr: string,
  options: { readonly sequenceNumber?: bigint; readonly reservation?: HostReservation } = {},
): BlockRow {
  return createBlock({
    key: { name: cidr },
    cidr: net(cidr),
    owner: { type: 'host', host: 'node-a' },
    claimedAt: 0,
    sequenceNumber: options.sequenceNumber ?? 1n,
    reservation: options.reservation,
  });
}

/** The block after a write. */
export function written(block: BlockRow): BlockRow {
  return { ...block, sequenceNumber: block.sequenceNumber + 1n };
}

/** Takes addresses and writes the block. */
export function take(
  block: BlockRow,
  count: number,
  request: Omit<AssignRequest, 'count'> = {},
): { readonly block: BlockRow; readonly addresses: readonly string[] } {
  const assigned = assignFromQueue(block, { ...request, count });
  return { block: written(assigned.block), addresses: texts(assigned.addresses) };
}

/** Takes given addresses, one write each. */
export function takeGiven(
  block: BlockRow,
  ...given: readonly (readonly [string, Holder])[]
): BlockRow {
  return given.reduce(
    (now, [address, holder]) => written(assignAddress(now, ip(address), holder)),
    block,
  );
}

/** Releases addresses and writes the block. */
export function release(
  block: BlockRow,
  releases: readonly (string | (Omit<AddressRelease, 'address'> & { readonly ip: string }))[],
  cooling: Cooling = AT_ONCE,
): Released {
  const parsed = releases.map((one): AddressRelease => {
    if (typeof one === 'string') return { address: ip(one) };
    return { address: ip(one.ip), handle: one.handle, sequenceNumber: one.sequenceNumber };
  });
  const result = releaseAddresses(block, parsed, cooling);
  return { ...result, block: result.block === block ? block : written(result.block) };
}

/** Returns cooled addresses and writes the block. */
export function collect(block: BlockRow, cooling: Cooling): BlockRow {
  const collected = collectCooled(block, cooling);
  return collected === block ? block : written(collected);
}

/** Addresses as texts. */
export function texts(addresses: readonly Address[]): readonly string[] {
  return addresses.map(formatAddress);
}
