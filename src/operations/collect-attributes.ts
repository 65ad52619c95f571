import type { BlockAttribute } from '../ipam/model/block.ts';
import { type Row, isReadable } from '../ipam/model/row.ts';
import type { Allocation } from '../ipam/state/cluster-state.ts';
import type { Address } from '../net/address.ts';
import { containsAddress, ordinalOf } from '../net/cidr.ts';

/** Attributes as they are stored; the state keeps only those that judging needs. */
export type StoredAttributes = Pick<BlockAttribute, 'owner' | 'alternateOwner'>;

/** Finds the attributes of an allocation of the address. */
export interface AttributesOf {
  of(allocation: Allocation): StoredAttributes;
}

/** Takes the attributes of one address out of the rows that pass while a state is loaded. */
export function collectAttributes(
  address: Address,
): AttributesOf & { readonly onRow: (row: Row) => void } {
  // By name of the block's row: a list that is taken again overwrites what its first try left.
  const found = new Map<string, StoredAttributes>();
  return {
    onRow(row) {
      if (row.kind !== 'IPAMBlock' || !isReadable(row) || !containsAddress(row.cidr, address))
        return;
      const index = row.allocations[ordinalOf(row.cidr, address)];
      const attribute = typeof index === 'number' ? row.attributes[index] : undefined;
      if (attribute) found.set(row.key.name, copyOf(attribute));
    },
    of: (allocation) => found.get(allocation.block.key.name) ?? { owner: {} },
  };
}

function copyOf({ owner, alternateOwner }: BlockAttribute): StoredAttributes {
  const hasAlternate = alternateOwner !== undefined && Object.keys(alternateOwner).length > 0;
  return {
    owner: { ...owner },
    ...(hasAlternate ? { alternateOwner: { ...alternateOwner } } : {}),
  };
}
