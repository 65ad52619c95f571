import { randomTable } from './random-table.ts';

const LENGTH = 607;
const TAP = 273;
const WORD = (1n << 64n) - 1n;
const MODULUS = 2 ** 31 - 1;
const MULTIPLIER = 48271;
/** Stands for a seed that is a multiple of the modulus, which would never leave 0. */
const SUBSTITUTE = 89482311;

/**
 * Go's seeded random source, bit for bit: Calico starts the walk through a pool's blocks with it, and two programs that
 * start elsewhere would spread the blocks of one host over the pool.
 *
 * Source: Go src/math/rand/rng.go.
 */
export class GoRandom {
  readonly #words = new BigUint64Array(LENGTH);
  #tap = 0;
  #feed = LENGTH - TAP;

  constructor(seed: bigint) {
    let value = Number(seed % BigInt(MODULUS));
    if (value < 0) value += MODULUS;
    if (value === 0) value = SUBSTITUTE;
    // Products stay below 2^47, so plain numbers are exact.
    const next = (): number => (value = (value * MULTIPLIER) % MODULUS);
    for (let i = 0; i < 20; i++) next();
    const table = randomTable();
    for (let i = 0; i < LENGTH; i++) {
      const high = BigInt(next()) << 40n;
      const middle = BigInt(next()) << 20n;
      this.#words[i] = high ^ middle ^ BigInt(next()) ^ (table[i] ?? 0n);
    }
  }

  /** The next 32 bits. */
  uint32(): number {
    this.#tap = (this.#tap + LENGTH - 1) % LENGTH;
    this.#feed = (this.#feed + LENGTH - 1) % LENGTH;
    const word = ((this.#words[this.#feed] ?? 0n) + (this.#words[this.#tap] ?? 0n)) & WORD;
    this.#words[this.#feed] = word;
    // The highest bit is dropped before the upper half is taken.
    return Number((word >> 31n) & 0xffffffffn);
  }

  /**
   * A number from 0 to one below the limit, which is at least 1.
   *
   * Source: Go src/math/big/int.go, `Int.Rand` on a 64-bit machine.
   */
  below(limit: bigint): bigint {
    const bits = limit.toString(2).length;
    const mask = (1n << BigInt(bits)) - 1n;
    for (;;) {
      let candidate = 0n;
      for (let shift = 0; shift < bits; shift += 64) {
        const low = BigInt(this.uint32());
        const high = BigInt(this.uint32());
        candidate |= (low | (high << 32n)) << BigInt(shift);
      }
      candidate &= mask;
      if (candidate < limit) return candidate;
    }
  }
}
