import { type Address, type Family, addressAt, familyOf } from './address.ts';
import { type Cidr, lastAddress } from './cidr.ts';

/** Consecutive addresses of one family, both ends included. */
export interface AddressRange {
  readonly first: Address;
  readonly last: Address;
}

/** Disjoint ranges of one family, ascending, with a gap between any two. */
type Ranges = readonly AddressRange[];

/**
 * A set of addresses of both families, such as what reservations cover. It never changes; every operation makes a new set.
 * Sizes are exact for any prefix length. A prefix of IPv6 covers no IPv4 address, even where it spans the mapped ones.
 */
export class AddressSet {
  /** The set without any address. */
  static readonly empty = new AddressSet([], []);

  readonly #v4: Ranges;
  readonly #v6: Ranges;

  private constructor(v4: Ranges, v6: Ranges) {
    this.#v4 = v4;
    this.#v6 = v6;
  }

  /** Every address of the prefixes, which may overlap and stand in any order. */
  static of(cidrs: Iterable<Cidr>): AddressSet {
    const v4: AddressRange[] = [];
    const v6: AddressRange[] = [];
    for (const cidr of cidrs) {
      const ranges = familyOf(cidr.base) === 4 ? v4 : v6;
      ranges.push(rangeOf(cidr));
    }
    return new AddressSet(joined(v4), joined(v6));
  }

  /** Whether the set has no address. */
  get isEmpty(): boolean {
    return this.#v4.length === 0 && this.#v6.length === 0;
  }

  /** Number of addresses, exact. */
  get size(): bigint {
    let size = 0n;
    for (const range of this.ranges()) size += sizeOf(range.first, range.last);
    return size;
  }

  /** Ranges in order, IPv4 first; never two that touch. */
  *ranges(): Iterable<AddressRange> {
    yield* this.#v4;
    yield* this.#v6;
  }

  /** Whether the address is in the set. */
  contains(address: Address): boolean {
    const ranges = this.#family(familyOf(address));
    const range = ranges[firstReaching(ranges, address)];
    return range !== undefined && range.first <= address;
  }

  /** Whether the set and the prefix share an address. */
  overlaps(cidr: Cidr): boolean {
    const ranges = this.#family(familyOf(cidr.base));
    const range = ranges[firstReaching(ranges, cidr.base)];
    return range !== undefined && range.first <= lastAddress(cidr);
  }

  /** Number of addresses of the prefix that are in the set, exact. */
  sizeWithin(cidr: Cidr): bigint {
    const ranges = this.#family(familyOf(cidr.base));
    const end = lastAddress(cidr);
    let size = 0n;
    for (let i = firstReaching(ranges, cidr.base); i < ranges.length; i++) {
      const range = ranges[i] as AddressRange;
      if (range.first > end) break;
      const first = range.first < cidr.base ? cidr.base : range.first;
      size += sizeOf(first, range.last > end ? end : range.last);
    }
    return size;
  }

  /** Addresses of either set. */
  union(other: AddressSet): AddressSet {
    return new AddressSet(joined([...this.#v4, ...other.#v4]), joined([...this.#v6, ...other.#v6]));
  }

  /** Addresses of this set that are not in the other one. */
  subtract(other: AddressSet): AddressSet {
    return new AddressSet(subtracted(this.#v4, other.#v4), subtracted(this.#v6, other.#v6));
  }

  /** Addresses of exactly one of the sets: what changed from one to the other. */
  symmetricDifference(other: AddressSet): AddressSet {
    return this.subtract(other).union(other.subtract(this));
  }

  #family(family: Family): Ranges {
    return family === 4 ? this.#v4 : this.#v6;
  }
}

function rangeOf(cidr: Cidr): AddressRange {
  return { first: cidr.base, last: lastAddress(cidr) };
}

/** Number of addresses from `first` to `last`, both included. */
function sizeOf(first: Address, last: Address): bigint {
  return BigInt(last) - BigInt(first) + 1n;
}

/** Position of the first range that ends at or after the address; their number when none does. */
function firstReaching(ranges: Ranges, address: Address): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle] as AddressRange).last < address) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Sorts the ranges of one family, in place, and joins those that overlap or touch. */
function joined(ranges: AddressRange[]): Ranges {
  ranges.sort((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0));
  const result: AddressRange[] = [];
  for (const range of ranges) {
    const before = result.at(-1);
    if (before === undefined || range.first > addressAt(before.last, 1)) result.push(range);
    else if (range.last > before.last)
      result[result.length - 1] = { first: before.first, last: range.last };
  }
  return result;
}

/** What is left of the ranges without the others: one walk over both. */
function subtracted(ranges: Ranges, others: Ranges): Ranges {
  const result: AddressRange[] = [];
  let position = 0;
  for (const range of ranges) {
    let first = range.first;
    while (position < others.length && (others[position] as AddressRange).last < first) position++;
    // The last of the others may reach into the next range too: it is looked at again there.
    for (let i = position; i < others.length; i++) {
      const other = others[i] as AddressRange;
      if (other.first > range.last || first > range.last) break;
      if (other.first > first) result.push({ first, last: addressAt(other.first, -1) });
      first = addressAt(other.last, 1);
    }
    if (first <= range.last) result.push({ first, last: range.last });
  }
  return result;
}
