import {
  type Address,
  type Family,
  addressAt,
  bitsOf,
  compareAddresses,
  familyOf,
  formatAddress,
  parseAddress,
} from './address.ts';

/** A prefix: masked base address and prefix length (0..32 or 0..128, by the family of the base). */
export interface Cidr {
  readonly base: Address;
  readonly length: number;
}

/** Makes a prefix from any address inside it by clearing the host bits. */
export function cidrOf(address: Address, length: number): Cidr {
  return { base: maskAddress(address, length), length };
}

/** The address with all bits after `length` cleared. */
export function maskAddress(address: Address, length: number): Address {
  if (typeof address === 'number') {
    const hostSize = 2 ** (32 - length);
    return (address - (address % hostSize)) as Address;
  }
  const hostBits = BigInt(128 - length);
  return (((address as bigint) >> hostBits) << hostBits) as Address;
}

const LENGTH = /^(0|[1-9][0-9]{0,2})$/;

/**
 * Parses `address/length` strictly and masks the host bits; undefined for anything else, a bare address included.
 * An IPv4-mapped prefix of 96 bits or more is the IPv4 prefix; a shorter one cannot be a prefix of either family.
 */
export function parseCidr(text: string): Cidr | undefined {
  const slash = text.indexOf('/');
  if (slash < 0) return undefined;
  const lengthText = text.slice(slash + 1);
  const address = parseAddress(text.slice(0, slash));
  if (address === undefined || !LENGTH.test(lengthText)) return undefined;
  let length = Number(lengthText);
  if (typeof address === 'number' && text.includes(':')) {
    if (length < 96) return undefined;
    length -= 96;
  }
  return length > bitsOf(familyOf(address)) ? undefined : cidrOf(address, length);
}

/** Parses a prefix, or a bare address as a prefix of full length. */
export function parseCidrOrAddress(text: string): Cidr | undefined {
  if (text.includes('/')) return parseCidr(text);
  const address = parseAddress(text);
  return address === undefined ? undefined : { base: address, length: bitsOf(familyOf(address)) };
}

/** Canonical text, such as `10.0.0.64/26` or `fd00::40/122`. */
export function formatCidr(cidr: Cidr): string {
  return `${formatAddress(cidr.base)}/${cidr.length}`;
}

/** IP version of a prefix. */
export function cidrFamily(cidr: Cidr): Family {
  return familyOf(cidr.base);
}

/** Number of addresses in the prefix, exact. */
export function cidrSize(cidr: Cidr): bigint {
  return 1n << BigInt(bitsOf(familyOf(cidr.base)) - cidr.length);
}

/** Last address of the prefix, always of its family. */
export function lastAddress(cidr: Cidr): Address {
  if (typeof cidr.base === 'number') return addressAt(cidr.base, 2 ** (32 - cidr.length) - 1);
  // Not unmapped: the end of a range that crosses the IPv4-mapped addresses, such as `::/80`, stays in the range.
  return ((cidr.base as bigint) + cidrSize(cidr) - 1n) as Address;
}

/** Whether the address lies in the prefix; never across families. */
export function containsAddress(cidr: Cidr, address: Address): boolean {
  return typeof cidr.base === typeof address && maskAddress(address, cidr.length) === cidr.base;
}

/** Whether the whole of `inner` lies in `outer`; equal prefixes contain each other. */
export function containsCidr(outer: Cidr, inner: Cidr): boolean {
  return inner.length >= outer.length && containsAddress(outer, inner.base);
}

/** Whether two prefixes share an address. */
export function cidrsOverlap(a: Cidr, b: Cidr): boolean {
  return a.length <= b.length ? containsCidr(a, b) : containsCidr(b, a);
}

/** Whether two prefixes are the same. */
export function cidrsEqual(a: Cidr, b: Cidr): boolean {
  return a.base === b.base && a.length === b.length;
}

/** Position of the address in the prefix, from 0; the caller makes sure that it lies inside. */
export function ordinalOf(cidr: Cidr, address: Address): number {
  return typeof address === 'number'
    ? address - (cidr.base as number)
    : Number((address as bigint) - (cidr.base as bigint));
}

/** Order by base address (IPv4 first), then shorter prefixes first. */
export function compareCidrs(a: Cidr, b: Cidr): number {
  return compareAddresses(a.base, b.base) || a.length - b.length;
}
