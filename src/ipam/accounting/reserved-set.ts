import type { Address } from '../../net/address.ts';
import { AddressSet } from '../../net/address-set.ts';
import type { Cidr } from '../../net/cidr.ts';
import type { ReservationRow } from '../model/reservation.ts';
import type { IsReserved } from './tally.ts';

/**
 * Every address that some reservation covers: a union, so nothing counts twice. Unreadable entries reserve nothing.
 * Source: Calico libcalico-go lib/ipam/accounting reserved.go.
 */
export function reservedSet(reservations: Iterable<Pick<ReservationRow, 'cidrs'>>): AddressSet {
  const cidrs: Cidr[] = [];
  for (const reservation of reservations) cidrs.push(...reservation.cidrs);
  return AddressSet.of(cidrs);
}

/** The test for addresses of one block; undefined when no reservation touches the block, which is the common case. */
export function reservedTest(reserved: AddressSet, block: Cidr): IsReserved | undefined {
  return reserved.overlaps(block) ? (address: Address) => reserved.contains(address) : undefined;
}
