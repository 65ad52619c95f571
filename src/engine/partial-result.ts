import type { Address, Family } from '../net/address.ts';
import { type Cidr, formatCidr } from '../net/cidr.ts';

/** Why a request got fewer addresses than it asked for. */
export type ShortfallReason =
  | { readonly about: 'strict-affinity' }
  | { readonly about: 'block-limit'; readonly limit: number }
  | { readonly about: 'assign-failed' }
  | { readonly about: 'pools-exhausted'; readonly pools: readonly Cidr[] };

/** An address with the prefix length of its block, or a full one where it was held before. */
export interface AssignedAddress {
  readonly address: Address;
  readonly length: number;
}

/** What a request got of one IP version. Running out of addresses is no error. */
export interface FamilyAssignment {
  readonly version: Family;
  readonly requested: number;
  readonly addresses: readonly AssignedAddress[];
  /** In the order in which they came up, each once. */
  readonly reasons: readonly ShortfallReason[];
  /** Handle under which the host keeps addresses of new blocks for itself. */
  readonly reservedHandle?: string | undefined;
}

/** A sentence about what is missing, with the reasons; undefined when nothing is. */
export function describeShortfall(assignment: FamilyAssignment): string | undefined {
  const { addresses, requested, version, reasons, reservedHandle } = assignment;
  if (addresses.length >= requested) return undefined;
  return [
    `${addresses.length} of ${requested} requested IPv${version} addresses were assigned`,
    ...reasons.map(describeReason),
    ...(reservedHandle === undefined
      ? []
      : [`the host reserves addresses of each block under ${reservedHandle}`]),
  ].join('; ');
}

function describeReason(reason: ShortfallReason): string {
  switch (reason.about) {
    case 'strict-affinity':
      return 'affinity is strict, and the host can claim no more blocks';
    case 'block-limit':
      return `the host owns ${reason.limit} blocks, which is its limit`;
    case 'assign-failed':
      return 'a block refused to give addresses';
    case 'pools-exhausted':
      return `no address is left in ${reason.pools.map(formatCidr).join(', ')}`;
  }
}

/** Collects reasons, each once. */
export class ShortfallReasons {
  readonly #reasons: ShortfallReason[] = [];

  add(reason: ShortfallReason): void {
    if (!this.#reasons.some(({ about }) => about === reason.about)) this.#reasons.push(reason);
  }

  list(): readonly ShortfallReason[] {
    return [...this.#reasons];
  }
}
