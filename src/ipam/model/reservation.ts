import type { Cidr } from '../../net/cidr.ts';
import type { RowHead } from './resource.ts';

/** An IPReservation: addresses that automatic assignment leaves alone. */
export interface ReservationRow extends RowHead {
  readonly kind: 'IPReservation';
  /** Readable entries, masked; a bare address is a prefix of full length. */
  readonly cidrs: readonly Cidr[];
  /** Entries that are no CIDR and reserve nothing. */
  readonly unreadableEntries: readonly string[];
}
