declare const addressBrand: unique symbol;

/**
 * An IP address as a number: a JavaScript number for IPv4 (0..2^32-1), a bigint for IPv6 (0..2^128-1).
 * An IPv4-mapped IPv6 address is the IPv4 address, so equal addresses are equal values and map keys.
 */
export type Address = (number | bigint) & { readonly [addressBrand]: 'Address' };

/** IP version of an address. */
export type Family = 4 | 6;

const COLON = 58;
const MAPPED_PREFIX = 0xffffn << 32n;

/** Brands a number (IPv4) or bigint (IPv6) that is known to be in range; unmaps IPv4-mapped values. */
export function addressOf(value: number | bigint): Address {
  if (typeof value === 'bigint' && value >> 32n === 0xffffn)
    return Number(value - MAPPED_PREFIX) as Address;
  return value as Address;
}

/** IP version of an address. */
export function familyOf(address: Address): Family {
  return typeof address === 'number' ? 4 : 6;
}

/** Number of bits of an address of that family: 32 or 128. */
export function bitsOf(family: Family): 32 | 128 {
  return family === 4 ? 32 : 128;
}

/** Numeric order, all IPv4 before all IPv6; negative, zero or positive as for `Array.sort`. */
export function compareAddresses(a: Address, b: Address): number {
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The address `offset` places after `base`, in the same family; the caller keeps it in range. */
export function addressAt(base: Address, offset: number): Address {
  return (typeof base === 'number' ? base + offset : (base as bigint) + BigInt(offset)) as Address;
}

/**
 * Parses an address strictly: IPv4 as four decimal octets without leading zeros, IPv6 as RFC 4291 text without zone.
 * Returns undefined for anything else; an IPv4-mapped IPv6 address reads as IPv4.
 */
export function parseAddress(text: string): Address | undefined {
  if (text.includes(':')) {
    const value = parseIPv6(text);
    return value === undefined ? undefined : addressOf(value);
  }
  return parseIPv4(text) as Address | undefined;
}

function parseIPv4(text: string): number | undefined {
  let value = 0;
  let octets = 0;
  let octet = -1;
  for (let i = 0; i <= text.length; i++) {
    const code = i < text.length ? text.charCodeAt(i) : 46;
    if (code === 46) {
      if (octet < 0 || ++octets > 4) return undefined;
      value = value * 256 + octet;
      octet = -1;
    } else if (code >= 48 && code <= 57) {
      if (octet === 0) return undefined;
      octet = octet < 0 ? code - 48 : octet * 10 + code - 48;
      if (octet > 255) return undefined;
    } else {
      return undefined;
    }
  }
  return octets === 4 ? value : undefined;
}

function parseIPv6(text: string): bigint | undefined {
  const dot = text.indexOf('.');
  if (dot < 0) return parseGroups(text);
  // A dotted IPv4 tail stands for the last two groups.
  const tailStart = text.lastIndexOf(':') + 1;
  const tail = parseIPv4(text.slice(tailStart));
  if (tail === undefined) return undefined;
  return parseGroups(
    `${text.slice(0, tailStart)}${(tail >>> 16).toString(16)}:${(tail & 0xffff).toString(16)}`,
  );
}

function parseGroups(text: string): bigint | undefined {
  const gap = text.indexOf('::');
  const groups: number[] = [];
  if (gap < 0)
    return readGroups(text, 0, groups) && groups.length === 8 ? valueOf(groups) : undefined;
  if (!readGroups(text.slice(0, gap), 0, groups)) return undefined;
  const headLength = groups.length;
  const tail: number[] = [];
  if (!readGroups(text, gap + 2, tail)) return undefined;
  // `::` stands for one group of zeros at least.
  if (headLength + tail.length > 7) return undefined;
  for (let missing = 8 - headLength - tail.length; missing > 0; missing--) groups.push(0);
  groups.push(...tail);
  return valueOf(groups);
}

/** Appends the 16-bit groups of the text from `start` on, which may be empty; false when it is malformed. */
function readGroups(text: string, start: number, groups: number[]): boolean {
  if (start === text.length) return true;
  let group = 0;
  let digits = 0;
  for (let i = start; i <= text.length; i++) {
    const code = i < text.length ? text.charCodeAt(i) : COLON;
    if (code === COLON) {
      if (digits === 0) return false;
      groups.push(group);
      group = 0;
      digits = 0;
    } else {
      const digit = hexDigit(code);
      if (digit < 0 || ++digits > 4) return false;
      group = (group << 4) | digit;
    }
  }
  return true;
}

/** Value of a hexadecimal digit, -1 for any other character. */
function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

/** The number that eight 16-bit groups spell; joined in pairs, because bigint arithmetic is what costs. */
function valueOf(groups: readonly number[]): bigint {
  let value = 0n;
  for (let i = 0; i < 8; i += 2) {
    value = (value << 32n) | BigInt((groups[i] ?? 0) * 0x10000 + (groups[i + 1] ?? 0));
  }
  return value;
}

/** Canonical text: dotted decimal, or RFC 5952 (lower case, longest run of zero groups as `::`). */
export function formatAddress(address: Address): string {
  if (typeof address === 'number') {
    return `${address >>> 24}.${(address >>> 16) & 255}.${(address >>> 8) & 255}.${address & 255}`;
  }
  return formatIPv6(address);
}

function formatIPv6(value: bigint): string {
  const groups: number[] = [];
  for (let shift = 96n; shift >= 0n; shift -= 32n) {
    const pair = Number(BigInt.asUintN(32, value >> shift));
    groups.push(pair >>> 16, pair & 0xffff);
  }
  const run = longestZeroRun(groups);
  if (run.length < 2) return textOf(groups, 0, 8);
  return `${textOf(groups, 0, run.start)}::${textOf(groups, run.start + run.length, 8)}`;
}

function textOf(groups: readonly number[], start: number, end: number): string {
  let text = '';
  for (let i = start; i < end; i++)
    text += `${i === start ? '' : ':'}${(groups[i] ?? 0).toString(16)}`;
  return text;
}

function longestZeroRun(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  let start = -1;
  for (let i = 0; i < groups.length; i++) {
    if (groups[i] !== 0) {
      start = -1;
      continue;
    }
    if (start < 0) start = i;
    if (i - start + 1 > best.length) best = { start, length: i - start + 1 };
  }
  return best;
}
