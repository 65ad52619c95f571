import { createHash } from 'node:crypto';
import { addressAt, bitsOf } from '../../net/address.ts';
import { type Cidr, cidrFamily } from '../../net/cidr.ts';

/** Most parts into which a pool is cut: each is a pool of its own that every component has to hold. */
export const MOST_PARTS = 1024;

/** Longest name of an object in Kubernetes. */
const LONGEST_NAME = 253;
const HASH_LENGTH = 8;

/** Whether a pool can be cut into so many parts of one size: a power of two from 2 to {@link MOST_PARTS}. */
export function isPartNumber(number: number): boolean {
  return (
    Number.isInteger(number) && number >= 2 && number <= MOST_PARTS && (number & (number - 1)) === 0
  );
}

/** Prefix length of the parts, which may be longer than the family allows. */
export function partLength(pool: Cidr, number: number): number {
  return pool.length + Math.log2(number);
}

/** Whether the family has prefixes as long as those of the parts. */
export function isWithinFamily(pool: Cidr, number: number): boolean {
  return partLength(pool, number) <= bitsOf(cidrFamily(pool));
}

/** Prefix of one part; exact also where the pool ends with the last address of its family. */
export function partCidr(pool: Cidr, number: number, index: number): Cidr {
  const length = partLength(pool, number);
  // A small number times a power of two is exact in floating point, whatever its size.
  const offset = index * 2 ** (bitsOf(cidrFamily(pool)) - length);
  return { base: addressAt(pool.base, offset), length };
}

/**
 * Name of one part. A long name of a pool is cut, so that the names of all parts fit, and a hash keeps the names of two
 * such pools apart.
 * Source: Calico calicoctl commands/ipam/split.go, names of the new pools.
 *
 * Departs from upstream: the cut depends on how long the index may be, and the hash is new.
 */
export function partName(pool: string, number: number, index: number): string {
  const digits = String(number - 1).length;
  const name = `split-${pool}`;
  if (name.length + 1 + digits <= LONGEST_NAME) return `${name}-${index}`;
  const hash = createHash('sha256').update(pool).digest('hex').slice(0, HASH_LENGTH);
  const room = LONGEST_NAME - digits - HASH_LENGTH - 2;
  // A dash or dot before a dash would be no name.
  return `${name.slice(0, room).replace(/[^a-z0-9]+$/, '')}-${hash}-${index}`;
}
