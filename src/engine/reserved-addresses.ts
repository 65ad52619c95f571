import { reservedSet, reservedTest } from '../ipam/accounting/reserved-set.ts';
import type { IsReserved } from '../ipam/allocator/block-content.ts';
import type { AddressSet } from '../net/address-set.ts';
import { type Cidr, cidrSize } from '../net/cidr.ts';
import type { EngineContext } from './engine-context.ts';

/** What reservations keep back from automatic assignment. */
export class ReservedAddresses {
  readonly set: AddressSet;

  constructor(set: AddressSet) {
    this.set = set;
  }

  /** Reads all reservations. */
  static async read({ store }: EngineContext): Promise<ReservedAddresses> {
    return new ReservedAddresses(reservedSet(await store.reservations()));
  }

  /** Whether nothing of the prefix is left. */
  covers(cidr: Cidr): boolean {
    return this.set.overlaps(cidr) && this.set.sizeWithin(cidr) === cidrSize(cidr);
  }

  /** The test for the addresses of a block; undefined when none of them is reserved. */
  testFor(block: Cidr): IsReserved | undefined {
    return reservedTest(this.set, block);
  }
}
