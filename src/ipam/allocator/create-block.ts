import { type Cidr, cidrSize } from '../../net/cidr.ts';
import type { BlockOwner } from '../block-owner.ts';
import type { BlockAttribute, BlockRow } from '../model/block.ts';
import type { ResourceKey } from '../model/resource.ts';
import type { HostReservation } from './host-reservation.ts';

/** A block to make. */
export interface NewBlock {
  readonly key: ResourceKey;
  readonly cidr: Cidr;
  readonly owner?: BlockOwner | undefined;
  /** Milliseconds since 1970. */
  readonly claimedAt?: number | undefined;
  /** Nanoseconds since 1970, so that a block that is made again never repeats an old number. */
  readonly sequenceNumber: bigint;
  readonly reservation?: HostReservation | undefined;
}

/**
 * A block in which every address is free, but those that its host reserves.
 *
 * @remarks Where the reservation does not leave an address, all are reserved; the original crashes there.
 * Source: Calico libcalico-go lib/ipam, new block.
 */
export function createBlock(options: NewBlock): BlockRow {
  const size = Number(cidrSize(options.cidr));
  const reserved = reservedOrdinals(size, options.reservation);
  const ordinals = Array.from({ length: size }, (_slot, ordinal) => ordinal);
  return {
    kind: 'IPAMBlock',
    key: options.key,
    cidr: options.cidr,
    affinity: options.owner && affinityText(options.owner),
    claimedAt: options.claimedAt,
    allocations: ordinals.map((ordinal) => (reserved(ordinal) ? 0 : null)),
    unallocated: ordinals.filter((ordinal) => !reserved(ordinal)),
    attributes: options.reservation ? [reservationRecord(options.reservation)] : [],
    sequenceNumber: options.sequenceNumber,
    sequenceNumbers: new Map(),
    deleted: false,
    misreadings: [],
  };
}

/** The text by which a block names its owner, such as `host:node-a`. */
export function affinityText(owner: BlockOwner): string {
  return `${owner.type}:${owner.host}`;
}

function reservedOrdinals(
  size: number,
  reservation: HostReservation | undefined,
): (ordinal: number) => boolean {
  if (!reservation) return () => false;
  const { startOfBlock, endOfBlock } = reservation;
  return (ordinal) => ordinal < startOfBlock || ordinal >= size - endOfBlock;
}

function reservationRecord({ handle, note }: HostReservation): BlockAttribute {
  return { handle, owner: { note: note ?? '' } };
}
