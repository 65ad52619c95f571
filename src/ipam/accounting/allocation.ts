import { type Address, addressAt } from '../../net/address.ts';
import { type BlockAttribute, type BlockRow, nodeOfAffinity } from '../model/block.ts';
import { isWellFormed, validateBlock } from '../validate-block.ts';
import { type AllocationKind, kindOfAllocation } from './kind.ts';

/** What of a well-formed allocated ordinal is counted. */
export interface CountedAllocation {
  readonly address: Address;
  /** Released and waiting: in use, but assigned to nobody. */
  readonly cooling: boolean;
  /** Means nothing while cooling. */
  readonly kind: AllocationKind;
  /** Node that holds it; undefined when none is known. */
  readonly node: string | undefined;
  /** Assigned to another node than the block's. */
  readonly borrowed: boolean;
}

/** An allocation read from a block row, as the tracker keeps and lists it. */
export interface TrackedAllocation extends CountedAllocation {
  readonly ordinal: number;
  /** Raw handle id; undefined when none was recorded. */
  readonly handle: string | undefined;
}

/**
 * The well-formed allocated ordinals of a block row, in order; malformed ones are not allocated.
 * Source: Calico libcalico-go lib/ipam/accounting allocation.go.
 */
export function allocationsOfRow(row: BlockRow): readonly TrackedAllocation[] {
  const { size } = validateBlock(row);
  const affinityNode = nodeOfAffinity(row.affinity);
  const found: TrackedAllocation[] = [];
  for (const [ordinal, index] of row.allocations.entries()) {
    if (index === null || !isWellFormed(row, ordinal, size)) continue;
    const attribute = row.attributes[index];
    if (attribute) found.push(allocationOf(row, attribute, { ordinal, affinityNode }));
  }
  return found;
}

function allocationOf(
  row: BlockRow,
  attribute: BlockAttribute,
  {
    ordinal,
    affinityNode,
  }: { readonly ordinal: number; readonly affinityNode: string | undefined },
): TrackedAllocation {
  const { handle, owner, releasedAt } = attribute;
  const cooling = releasedAt !== undefined;
  const node = owner['node'] || undefined;
  return {
    ordinal,
    address: addressAt(row.cidr.base, ordinal),
    cooling,
    kind: kindOfAllocation({
      blockAffinity: row.affinity,
      handle,
      type: owner['type'],
      ownerIsEmpty: Object.keys(owner).length === 0,
    }),
    node: node ?? affinityNode,
    borrowed: !cooling && node !== undefined && node !== affinityNode,
    handle,
  };
}
