import type { Address } from '../../net/address.ts';

type NumberArray = Float64Array | Uint8Array;

/** An array of the same type with twice the room. */
function doubled<A extends NumberArray | Int32Array | BigUint64Array>(values: A): A {
  const larger = new (values.constructor as new (length: number) => A)(values.length * 2);
  larger.set(values as never);
  return larger;
}

/** A typed array that grows: one column of a table. */
export class NumberColumn<A extends NumberArray> {
  private values: A;
  private used = 0;

  /** @param values Room for the first ones. */
  constructor(values: A) {
    this.values = values;
  }

  push(value: number): void {
    if (this.used === this.values.length) this.values = doubled(this.values);
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
    if (this.used === this.values.length) this.values = doubled(this.values);
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
  return new NumberColumn(new Float64Array(1024));
}

/** A column of bytes. */
export function uint8Column(): NumberColumn<Uint8Array> {
  return new NumberColumn(new Uint8Array(1024));
}

/** A growing column of unsigned 64-bit integers. */
export class BigColumn {
  private values = new BigUint64Array(1024);
  private used = 0;

  push(value: bigint): void {
    if (this.used === this.values.length) this.values = doubled(this.values);
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
