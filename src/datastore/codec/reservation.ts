import type { ReservationRow } from '../../ipam/model/reservation.ts';
import type { JsonObject } from '../../ipam/model/resource.ts';
import { type Cidr, parseCidrOrAddress } from '../../net/cidr.ts';
import { Fields } from './fields.ts';
import { quoteValue } from './misreading.ts';
import { type ObjectHead, rowHead } from './object-head.ts';

/**
 * Reads an IPReservation. Entries are trimmed, bare addresses are taken, blank entries skipped; one that cannot be read
 * reserves nothing and does not take the others with it.
 * Source: Calico libcalico-go lib/ipam, filter of reserved addresses.
 * @throws {@link Misreading}
 */
export function decodeReservation(head: ObjectHead, object: JsonObject): ReservationRow {
  const cidrs: Cidr[] = [];
  const unreadableEntries: string[] = [];
  for (const entry of Fields.spec(object).list('reservedCIDRs')) {
    if (typeof entry !== 'string') {
      unreadableEntries.push(quoteValue(entry));
      continue;
    }
    const text = entry.trim();
    if (text === '') continue;
    const cidr = parseCidrOrAddress(text);
    if (cidr) cidrs.push(cidr);
    else unreadableEntries.push(entry);
  }
  return { ...rowHead(head), kind: 'IPReservation', cidrs, unreadableEntries };
}
