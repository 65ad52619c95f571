import { type Address, compareAddresses } from '../../net/address.ts';
import { type Cidr, lastAddress, maskAddress } from '../../net/cidr.ts';

/** Items of one prefix length, by their base. IPv4 and IPv6 bases are of different types and cannot meet. */
interface ItemsOfLength<T> {
  readonly length: number;
  readonly byBase: Map<Address, T[]>;
}

/**
 * Finds items by the prefix they stand for. Prefixes are nested or apart, so everything that contains an address is
 * found with one look-up per prefix length in use.
 */
export class PrefixIndex<T extends { readonly cidr: Cidr }> {
  private readonly items: readonly T[];
  /** From the widest prefix to the longest. */
  private readonly lengths: ItemsOfLength<T>[] = [];

  /** `items` must be sorted as `compareCidrs` sorts. */
  constructor(items: readonly T[]) {
    this.items = items;
    for (const item of items) {
      const { base, length } = item.cidr;
      let ofLength = this.ofLength(length);
      if (!ofLength) this.lengths.push((ofLength = { length, byBase: new Map() }));
      const same = ofLength.byBase.get(base);
      if (same) same.push(item);
      else ofLength.byBase.set(base, [item]);
    }
    this.lengths.sort((a, b) => a.length - b.length);
  }

  /** Items of exactly this prefix. */
  exactly(cidr: Cidr): readonly T[] {
    return this.ofLength(cidr.length)?.byBase.get(cidr.base) ?? [];
  }

  private ofLength(length: number): ItemsOfLength<T> | undefined {
    return this.lengths.find((one) => one.length === length);
  }

  /** Items whose prefix contains the address, wider prefixes first. */
  containing(address: Address, longest = 128): readonly T[] {
    const limit = typeof address === 'number' ? Math.min(longest, 32) : longest;
    let found: readonly T[] | undefined;
    // Asked for every address of a cluster, nearly all of which are in one item: its list is not copied.
    for (let at = 0; at < this.lengths.length; at++) {
      const { length, byBase } = this.lengths[at] as ItemsOfLength<T>;
      if (length > limit) break;
      const items = byBase.get(maskAddress(address, length));
      if (items) found = found ? [...found, ...items] : items;
    }
    return found ?? [];
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
