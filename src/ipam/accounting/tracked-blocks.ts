import type { AddressSet } from '../../net/address-set.ts';
import type { Address } from '../../net/address.ts';
import { type Cidr, compareCidrs, containsCidr, lastAddress, maskAddress } from '../../net/cidr.ts';
import type { BlockRow } from '../model/block.ts';
import type { PoolRow } from '../model/pool.ts';
import { type TrackedAllocation, allocationsOfRow } from './allocation.ts';
import { reservedTest } from './reserved-set.ts';
import { type IsReserved, type Tally, emptyTally, tallyAllocation } from './tally.ts';

/** What the tracker keeps of a block row. Nothing is shared with the row, which the caller may change. */
export class TrackedBlock {
  readonly cidr: Cidr;
  readonly affinity: string | undefined;
  readonly allocations: readonly TrackedAllocation[];
  /** Pool that owns the block. */
  owner: PoolRow | undefined;
  /** Undefined while no reservation touches the block. */
  isReserved: IsReserved | undefined;
  #tally: Tally | undefined;

  constructor(row: BlockRow) {
    this.cidr = row.cidr;
    this.affinity = row.affinity;
    this.allocations = allocationsOfRow(row);
  }

  /** Takes the reservations as they are now. */
  reserve(reserved: AddressSet): void {
    this.isReserved = reservedTest(reserved, this.cidr);
    this.#tally = undefined;
  }

  /** Counts of the block alone; made once. */
  get tally(): Tally {
    if (!this.#tally) {
      this.#tally = emptyTally();
      for (const allocation of this.allocations)
        tallyAllocation(this.#tally, allocation, this.isReserved);
    }
    return this.#tally;
  }
}

/** Blocks by prefix and in the order of `compareCidrs`. */
export class TrackedBlocks {
  readonly #byLength = new Map<number, Map<Address, TrackedBlock>>();
  #ordered: TrackedBlock[] = [];

  /** Every block, in order. */
  get all(): readonly TrackedBlock[] {
    return this.#ordered;
  }

  get(cidr: Cidr): TrackedBlock | undefined {
    return this.#byLength.get(cidr.length)?.get(cidr.base);
  }

  /** Adds a block whose prefix is not there yet. */
  add(block: TrackedBlock): void {
    const { base, length } = block.cidr;
    const sameLength = this.#byLength.get(length);
    if (sameLength) sameLength.set(base, block);
    else this.#byLength.set(length, new Map([[base, block]]));
    this.#ordered.splice(this.#position(block.cidr), 0, block);
  }

  delete(cidr: Cidr): void {
    const sameLength = this.#byLength.get(cidr.length);
    if (!sameLength?.delete(cidr.base)) return;
    if (sameLength.size === 0) this.#byLength.delete(cidr.length);
    this.#ordered.splice(this.#position(cidr), 1);
  }

  /** The widest block that contains the prefix, or the prefix itself when none does. */
  span(cidr: Cidr): Cidr {
    let widest = cidr;
    for (const [length, byBase] of this.#byLength) {
      if (length >= widest.length) continue;
      widest = byBase.get(maskAddress(cidr.base, length))?.cidr ?? widest;
    }
    return widest;
  }

  /** Blocks whole inside the prefix, in order. */
  within(cidr: Cidr): readonly TrackedBlock[] {
    const last = lastAddress(cidr);
    const start = this.#position(cidr);
    let end = start;
    while (end < this.#ordered.length && isInside(this.#ordered[end], cidr, last)) end++;
    return this.#ordered.slice(start, end);
  }

  /** Whether a block lies whole inside the prefix. */
  hasWithin(cidr: Cidr): boolean {
    const first = this.#ordered[this.#position(cidr)];
    return first !== undefined && containsCidr(cidr, first.cidr);
  }

  /** Position of the first block that does not come before the prefix. */
  #position(cidr: Cidr): number {
    let low = 0;
    let high = this.#ordered.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const block = this.#ordered[middle];
      if (block && compareCidrs(block.cidr, cidr) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function isInside(block: TrackedBlock | undefined, cidr: Cidr, last: Address): boolean {
  return (
    block !== undefined && typeof block.cidr.base === typeof cidr.base && block.cidr.base <= last
  );
}

/** The prefixes without those that lie in another one. */
export function withoutInner(cidrs: readonly Cidr[]): readonly Cidr[] {
  const outer: Cidr[] = [];
  for (const cidr of [...cidrs].sort(compareCidrs)) {
    const last = outer.at(-1);
    if (!last || !containsCidr(last, cidr)) outer.push(cidr);
  }
  return outer;
}
