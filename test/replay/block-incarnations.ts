import type { Writing } from '../../src/datastore/datastore.ts';
import type { BlockRow } from '../../src/ipam/model/block.ts';
import { type Cidr, containsAddress, formatCidr } from '../../src/net/cidr.ts';
import { parseAddress } from '../../src/net/address.ts';

/** A number that a block had; only those that stem from the clock are this long. */
const LONG = /(?<![\d-])\d{16,}(?!\d)/g;
const NAMED = /^S(\d+)\+(\d+)$/;

interface Incarnation {
  readonly cidr: Cidr;
  /** How many blocks of this prefix there were, this one included. */
  readonly count: number;
  /** The number with which it was made. */
  readonly base: bigint;
}

/**
 * Gives sequence numbers the names that traces have for them, `S<incarnation>+<distance>`, and back. It learns the first
 * number of each block from the write that makes it.
 */
export class BlockIncarnations {
  readonly #known: Incarnation[] = [];

  /** A datastore's create, observed. */
  observe(create: Writing['create']): Writing['create'] {
    return async (row, options) => {
      const created = await create(row, options);
      if (created.kind === 'IPAMBlock') this.#note(created);
      return created;
    };
  }

  #note({ cidr, sequenceNumber }: BlockRow): void {
    const before = this.#known.filter((one) => formatCidr(one.cidr) === formatCidr(cidr));
    this.#known.push({ cidr, count: before.length + 1, base: sequenceNumber });
  }

  /** The text with each long number named. */
  named(text: string): string {
    return text.replaceAll(LONG, (digits) => this.#nameOf(BigInt(digits)));
  }

  #nameOf(number: bigint): string {
    let nearest: Incarnation | undefined;
    for (const one of this.#known) {
      if (one.base <= number && (!nearest || one.base > nearest.base)) nearest = one;
    }
    return nearest ? `S${nearest.count}+${number - nearest.base}` : String(number);
  }

  /** The number that a name means for the block, or the block of the address; other texts are numbers as they stand. */
  numberOf(
    name: string,
    place: { readonly block?: string | undefined; readonly address: string },
  ): bigint {
    const match = NAMED.exec(name);
    if (!match) return BigInt(name);
    const [, count, distance] = match;
    const address = parseAddress(place.address);
    const found = this.#known.find(
      (one) =>
        one.count === Number(count) &&
        (place.block === undefined
          ? address !== undefined && containsAddress(one.cidr, address)
          : formatCidr(one.cidr) === place.block),
    );
    if (!found) throw new Error(`nobody knows what ${name} is for ${place.block ?? place.address}`);
    return found.base + BigInt(distance ?? 0);
  }
}
