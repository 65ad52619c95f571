import { type Address, compareAddresses } from '../../net/address.ts';
import { type Cidr, lastAddress, maskAddress } from '../../net/cidr.ts';

/**
 * Finds items by the prefix they stand for. Prefixes are nested or apart, so everything that contains an address is
 * found with one look-up per prefix length in use.
 */
export class PrefixIndex<T extends { readonly cidr: Cidr }> {
  private readonly items: readonly T[];
  /** By prefix length, then by base. IPv4 and IPv6 bases are of different types and cannot meet. */
  private readonly byLength = new Map<number, Map<Address, T[]>>();

  /** `items` must be sorted as `compareCidrs` sorts. */
  constructor(items: readonly T[]) {
    this.items = items;
    for (const item of items) {
      const byBase = this.byLength.get(item.cidr.length) ?? new Map<Address, T[]>();
      this.byLength.set(item.cidr.length, byBase);
      const same = byBase.get(item.cidr.base);
      if (same) same.push(item);
      else byBase.set(item.cidr.base, [item]);
    }
  }

  /** Items of exactly this prefix. */
  exactly(cidr: Cidr): readonly T[] {
    return this.byLength.get(cidr.length)?.get(cidr.base) ?? [];
  }

  /** Items whose prefix contains the address, wider prefixes first. */
  containing(address: Address, longest = 128): readonly T[] {
    const found: T[] = [];
    for (const [length, byBase] of this.byLength) {
      if (length > longest || (typeof address === 'number' && length > 32)) continue;
      const items = byBase.get(maskAddress(address, length));
      if (items) found.push(...items);
    }
    return found.length > 1 ? found.sort((a, b) => a.cidr.length - b.cidr.length) : found;
  }

  /** Items that share an address with the prefix: those that contain it first, then those inside in order. */
  overlapping(cidr: Cidr): readonly T[] {
    const found = [...this.containing(cidr.base, cidr.length)];
    const last = lastAddress(cidr);
    for (let at = this.lowerBound(cidr.base); at < this.items.length; at++) {
      const item = this.items[at] as T;
      if (compareAddresses(item.cidr.base, last) > 0) break;
      if (item.cidr.length > cidr.length) found.push(item);
    }
    return found;
  }

  private lowerBound(address: Address): number {
    let low = 0;
    let high = this.items.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareAddresses((this.items[middle] as T).cidr.base, address) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
