import { EngineError } from '../../errors/engine-error.ts';
import { type Family, bitsOf } from '../../net/address.ts';

/** Addresses at the ends of each new block that the host keeps for itself, as Windows does with 3 and 1. */
export interface HostReservation {
  readonly startOfBlock: number;
  readonly endOfBlock: number;
  readonly handle: string;
  readonly note?: string | undefined;
}

/**
 * Longest prefix that a block may have so that something is left beside the reserved addresses.
 *
 * @throws {@link EngineError} `bad-host-reservation` when nothing is reserved, or more than any block holds.
 * Source: Calico libcalico-go lib/ipam, prefix length for reserved addresses.
 */
export function longestBlockPrefix(
  family: Family,
  reservation: HostReservation | undefined,
): number {
  const bits = bitsOf(family);
  if (!reservation) return bits;
  const { startOfBlock, endOfBlock } = reservation;
  const total = startOfBlock + endOfBlock;
  const isNatural = Number.isInteger(total) && startOfBlock >= 0 && endOfBlock >= 0;
  const length = isNatural && total > 0 ? bits - total.toString(2).length : 0;
  if (length > 0) return length;
  throw new EngineError(
    'bad-host-reservation',
    `a host cannot reserve ${startOfBlock} addresses at the start and ${endOfBlock} at the end of a block`,
  );
}
