import { AddressSet } from '../../net/address-set.ts';
import { formatAddress } from '../../net/address.ts';
import { containsAddress } from '../../net/cidr.ts';
import type { ReservationRow } from '../../ipam/model/reservation.ts';
import type { Allocation } from '../../ipam/state/cluster-state.ts';
import { type OwnerFact, allocationSubject, ownerFact } from '../facts.ts';
import { rule } from '../rule.ts';
import { listed, ownerText } from '../wording.ts';

type ReservedFacts = Partial<OwnerFact> & {
  readonly address: string;
  readonly block: string;
  /** Names of the reservations that cover it. */
  readonly reservations: readonly string[];
  readonly cooling: boolean;
};

/** An address that was allocated before a reservation covered it, or in spite of one. */
export const reservedAddressInUse = rule<ReservedFacts>({
  code: 'reserved-address-in-use',
  severity: 'info',
  needs: ['IPAMBlock', 'IPReservation'],
  title: 'A reserved address is allocated',
  why: 'A reservation keeps automatic assignment from an address, but takes nothing away from who has it already, and an address may still be asked for by name. Something outside the cluster may rely on the reservation.',
  remedy:
    'Nothing, when it is meant to be so. Otherwise recreate what holds the address: it gets another one.',
  *evaluate(state) {
    const reserved = AddressSet.of(state.reservations.flatMap(({ cidrs }) => cidrs));
    if (reserved.isEmpty) return;
    const touched = new Set(
      state.blocks.filter(({ cidr }) => reserved.overlaps(cidr)).map(({ index }) => index),
    );
    if (touched.size === 0) return;
    for (const allocation of state.allocations()) {
      if (!touched.has(allocation.block.index) || !reserved.contains(allocation.address)) continue;
      yield {
        subject: allocationSubject(allocation),
        facts: factsOf(allocation, state.reservations),
      };
    }
  },
  reason: (facts) =>
    `${facts.address} is ${stateOf(facts)}, although ${
      facts.reservations.length === 1 ? 'reservation' : 'reservations'
    } ${listed(facts.reservations)} ${facts.reservations.length === 1 ? 'covers' : 'cover'} it.`,
  remedyFor: ({ cooling }) =>
    cooling
      ? 'Nothing needs to be done: once its cooldown is over, the address is free and stays reserved.'
      : 'Nothing needs to be done if that is meant; otherwise recreate what holds the address so that it gets another one.',
});

function factsOf(allocation: Allocation, reservations: readonly ReservationRow[]): ReservedFacts {
  const { address, cooling } = allocation;
  const owner = ownerFact(allocation);
  return {
    address: formatAddress(address),
    // What a cooling allocation says of its owner means nothing any more.
    ...(cooling ? { block: owner.block } : owner),
    reservations: reservations
      .filter(({ cidrs }) => cidrs.some((cidr) => containsAddress(cidr, address)))
      .map(({ key }) => key.name),
    cooling,
  };
}

function stateOf({ cooling, block, use, ...owner }: ReservedFacts): string {
  if (cooling) return 'still cooling down';
  const text = use === undefined ? undefined : ownerText({ ...owner, block, use });
  return text === undefined ? 'allocated' : `allocated to ${text}`;
}
