import type { Address } from '../../net/address.ts';

type NumberArray = Float64Array | Uint8Array;

/** A typed array that grows: one column of a table. */
export class NumberColumn<A extends NumberArray> {
  private values: A;
  private used = 0;
  private readonly allocate: (length: number) => A;

  constructor(allocate: (length: number) => A) {
    this.allocate = allocate;
    this.values = allocate(1024);
  }

  push(value: number): void {
    if (this.used === this.values.length) {
      const larger = this.allocate(this.values.length * 2);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.used++] = value;
  }

  /** Value at a position below {@link length}. */
  at(index: number): number {
    return this.values[index] as number;
  }

  get length(): number {
    return this.used;
  }
}

/** As {@link NumberColumn}, of 32-bit integers. Most columns are, and code that meets one type of array is faster. */
export class Int32Column {
  private values = new Int32Array(1024);
  private used = 0;

  push(value: number): void {
    if (this.used === this.values.length) {
      const larger = new Int32Array(this.values.length * 2);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.used++] = value;
  }

  /** Value at a position below {@link length}. */
  at(index: number): number {
    return this.values[index] as number;
  }

  get length(): number {
    return this.used;
  }
}

/** An empty one. */
export function int32Column(): Int32Column {
  return new Int32Column();
}

/** A column of doubles; NaN stands for absent. */
export function float64Column(): NumberColumn<Float64Array> {
  return new NumberColumn((length) => new Float64Array(length));
}

/** A column of bytes. */
export function uint8Column(): NumberColumn<Uint8Array> {
  return new NumberColumn((length) => new Uint8Array(length));
}

/** A growing column of unsigned 64-bit integers. */
export class BigColumn {
  private values = new BigUint64Array(1024);
  private used = 0;

  push(value: bigint): void {
    if (this.used === this.values.length) {
      const larger = new BigUint64Array(this.values.length * 2);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.used++] = value;
  }

  at(index: number): bigint {
    return this.values[index] ?? 0n;
  }
}

/** A column of addresses: IPv4 as a double in place, IPv6 as the negative position in a side list. */
export class AddressColumn {
  private readonly numbers = float64Column();
  private readonly large: bigint[] = [];

  push(address: Address): void {
    if (typeof address === 'number') {
      this.numbers.push(address);
    } else {
      this.large.push(address);
      this.numbers.push(-this.large.length);
    }
  }

  at(index: number): Address {
    const number = this.numbers.at(index);
    return (number >= 0 ? number : (this.large[-number - 1] ?? 0n)) as Address;
  }

  get length(): number {
    return this.numbers.length;
  }
}

/** NaN for absent, as {@link float64Column} stores it. */
export function orNaN(value: number | undefined): number {
  return value ?? NaN;
}

/** Undefined for NaN. */
export function orUndefined(value: number): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}
