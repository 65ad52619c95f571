import { PreconditionError } from '../../errors/precondition-error.ts';
import { type Address, type Family, bitsOf, familyOf, parseAddress } from '../../net/address.ts';
import {
  type Cidr,
  cidrFamily,
  cidrOf,
  cidrSize,
  compareCidrs,
  containsAddress,
  containsCidr,
  maskAddress,
} from '../../net/cidr.ts';

/** Puts other addresses in the place of those that were read. */
export interface AddressMap {
  /** Whether every address stays what it is. */
  readonly isIdentity: boolean;
  address(address: Address): Address;
  cidr(cidr: Cidr): Cidr;
}

/** Leaves addresses as they are. */
export const SAME_ADDRESSES: AddressMap = {
  isIdentity: true,
  address: (address) => address,
  cidr: (cidr) => cidr,
};

/** Where ranges and single addresses go: space that no network uses, so that nobody takes them for real ones. */
interface Space {
  readonly ranges: readonly Cidr[];
  readonly strays: Cidr;
  /** Prefix length by which single addresses are grouped, so that neighbours stay neighbours. */
  readonly groupLength: number;
}

/** Reserved for future use (IPv4); for documentation, and never assigned (IPv6). Source: IANA address registries. */
const SPACES: Readonly<Record<Family, Space>> = {
  4: { ranges: [prefix('240.0.0.0', 5)], strays: prefix('248.0.0.0', 5), groupLength: 24 },
  6: {
    ranges: [prefix('3fff::', 21), prefix('e000::', 4)],
    strays: prefix('3fff:800::', 21),
    groupLength: 64,
  },
};

/**
 * Moves whole ranges, so that what lies in one keeps its place in it: sizes, order, ordinals, overlaps and containment
 * stay, and ranges keep their order among themselves. Addresses outside of every range move in groups of neighbours. The
 * prefix of all addresses stays.
 */
export class MovedAddresses implements AddressMap {
  readonly isIdentity = false;
  readonly #families: Readonly<Record<Family, MovedFamily>>;

  /**
   * @param cidrs Everything that may contain or be contained: pools, blocks, reservations, in any order.
   * @throws {@link PreconditionError} when they are larger than the space for them.
   */
  constructor(cidrs: Iterable<Cidr>) {
    const known = [...cidrs].filter(({ length }) => length > 0);
    this.#families = {
      4: new MovedFamily(SPACES[4], outermost(known, 4)),
      6: new MovedFamily(SPACES[6], outermost(known, 6)),
    };
  }

  address(address: Address): Address {
    return this.#families[familyOf(address)].move(address);
  }

  /** A prefix that no range contains, because it came after the ranges were gathered, gets a place of its own. */
  cidr(cidr: Cidr): Cidr {
    if (cidr.length === 0) return cidr;
    const family = this.#families[cidrFamily(cidr)];
    return cidrOf(family.moveRange(cidr), cidr.length);
  }
}

/** A range and where it went. */
interface Move {
  readonly from: Cidr;
  readonly to: bigint;
}

class MovedFamily {
  readonly #space: Space;
  readonly #family: Family;
  /** By base address. */
  readonly #moves: Move[] = [];
  readonly #groups = new Map<Address, bigint>();
  #region: Cidr;
  #next: bigint;

  constructor(space: Space, ranges: readonly Cidr[]) {
    this.#space = space;
    this.#family = cidrFamily(space.strays);
    const region = space.ranges.find((candidate) => fits(ranges, candidate));
    if (region === undefined) throw tooLarge(this.#family);
    this.#region = region;
    this.#next = BigInt(region.base);
    for (const range of ranges) this.#moves.push({ from: range, to: this.#place(range) });
  }

  move(address: Address): Address {
    const found = this.#find(address);
    if (found !== undefined) return this.#at(found.to + BigInt(address) - BigInt(found.from.base));
    const group = maskAddress(address, this.#space.groupLength);
    return this.#at(this.#groupOf(group) + BigInt(address) - BigInt(group));
  }

  moveRange(cidr: Cidr): Address {
    const found = this.#find(cidr.base);
    const isInside = found !== undefined && containsCidr(found.from, cidr);
    const isInGroup = found === undefined && cidr.length >= this.#space.groupLength;
    if (isInside || isInGroup) return this.move(cidr.base);
    const move = { from: cidr, to: this.#place(cidr) };
    this.#moves.push(move);
    this.#moves.sort((a, b) => compareCidrs(a.from, b.from));
    return this.#at(move.to);
  }

  /** The range that contains the address; they are disjoint as far as they were known from the start. */
  #find(address: Address): Move | undefined {
    let low = 0;
    let high = this.#moves.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#moves[middle] as Move).from.base <= address) low = middle + 1;
      else high = middle;
    }
    const move = this.#moves[low - 1];
    return move !== undefined && containsAddress(move.from, address) ? move : undefined;
  }

  #place(range: Cidr): bigint {
    const size = cidrSize(range);
    const to = alignUp(this.#next, size);
    if (to + size > endOf(this.#region)) throw tooLarge(this.#family);
    this.#next = to + size;
    return to;
  }

  #groupOf(group: Address): bigint {
    const known = this.#groups.get(group);
    if (known !== undefined) return known;
    const { strays, groupLength } = this.#space;
    const size = 1n << BigInt(bitsOf(this.#family) - groupLength);
    const to = BigInt(strays.base) + BigInt(this.#groups.size) * size;
    if (to >= endOf(strays)) throw tooLarge(this.#family);
    this.#groups.set(group, to);
    return to;
  }

  #at(value: bigint): Address {
    return (this.#family === 4 ? Number(value) : value) as Address;
  }
}

/** Ranges of a family that lie in no other one, by address. */
function outermost(cidrs: readonly Cidr[], family: Family): Cidr[] {
  const ranges: Cidr[] = [];
  for (const cidr of cidrs.filter((one) => cidrFamily(one) === family).sort(compareCidrs)) {
    const last = ranges.at(-1);
    if (last === undefined || !containsCidr(last, cidr)) ranges.push(cidr);
  }
  return ranges;
}

function fits(ranges: readonly Cidr[], region: Cidr): boolean {
  let next = BigInt(region.base);
  for (const range of ranges) next = alignUp(next, cidrSize(range)) + cidrSize(range);
  return next <= endOf(region);
}

function alignUp(value: bigint, size: bigint): bigint {
  return ((value + size - 1n) / size) * size;
}

/** First value behind a prefix. */
function endOf(cidr: Cidr): bigint {
  return BigInt(cidr.base) + cidrSize(cidr);
}

function tooLarge(family: Family): PreconditionError {
  return new PreconditionError(
    `the IPv${family} ranges of this cluster are larger than the space that could stand for them`,
    { hint: 'redact names only (--redact=names)' },
  );
}

function prefix(text: string, length: number): Cidr {
  return cidrOf(parseAddress(text) as Address, length);
}
