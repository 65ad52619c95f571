import { addressOf, bitsOf, familyOf } from '../../net/address.ts';
import type { Cidr } from '../../net/cidr.ts';
import type { PoolRow } from '../model/pool.ts';
import { GoRandom } from './go-random.ts';

/** Which pool to walk, and for whom. */
export interface CandidateOptions {
  readonly host: string;
  /** Seed of pools whose blocks are single addresses: there the walk must not be the same each time. */
  readonly singleAddressSeed: bigint;
}

/**
 * All blocks of a pool, each once: from a start that depends on the host upwards, and on from the first block of the pool
 * after the last. Hosts start apart, and requests of one host meet at one block.
 *
 * Source: Calico libcalico-go lib/ipam, random block generator.
 */
export function* candidateBlocks(
  pool: Pick<PoolRow, 'cidr' | 'blockSize'>,
  options: CandidateOptions,
): Generator<Cidr, void, undefined> {
  const { base } = pool.cidr;
  const bits = bitsOf(familyOf(base));
  if (pool.blockSize < pool.cidr.length || pool.blockSize > bits) return;
  const count = 1n << BigInt(pool.blockSize - pool.cidr.length);
  const size = 1n << BigInt(bits - pool.blockSize);
  const seed = pool.blockSize === bits ? options.singleAddressSeed : BigInt(hostSeed(options.host));
  let position = new GoRandom(seed).below(count);
  for (let seen = 0n; seen < count; seen++) {
    yield { base: shifted(base, position * size), length: pool.blockSize };
    position = position + 1n === count ? 0n : position + 1n;
  }
}

function shifted(base: Cidr['base'], offset: bigint): Cidr['base'] {
  return addressOf(typeof base === 'number' ? base + Number(offset) : (base as bigint) + offset);
}

/**
 * FNV-1 of the host name's UTF-8 bytes, 32 bits, unsigned. The type of the owner is no part of it.
 *
 * Source: Go src/hash/fnv, `New32`.
 */
export function hostSeed(host: string): number {
  let hash = 2166136261;
  for (const byte of Buffer.from(host)) hash = (Math.imul(hash, 16777619) ^ byte) >>> 0;
  return hash;
}
