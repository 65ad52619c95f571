import { EngineError } from '../../errors/engine-error.ts';
import { type Address, formatAddress } from '../../net/address.ts';
import { formatCidr } from '../../net/cidr.ts';
import type { BlockOwner } from '../block-owner.ts';
import type { BlockRow } from '../model/block.ts';
import { findOrAddRecord, type Holder } from './attribute-records.ts';
import { addressOfOrdinal, attributeAt, type IsReserved, ordinalIn } from './block-content.ts';
import { affinityText } from './create-block.ts';

/** What to take from a block. */
export interface AssignRequest extends Holder {
  readonly count: number;
  readonly isReserved?: IsReserved | undefined;
  /** Set under strict affinity: only this owner may take from the block. */
  readonly onlyFor?: BlockOwner | undefined;
}

/** The block after an assignment, and the addresses that were taken, in the order of the queue. */
export interface Assignment {
  readonly block: BlockRow;
  readonly addresses: readonly Address[];
}

/**
 * Takes up to so many addresses from the head of the free queue. Reserved ordinals keep their place in it.
 *
 * @throws {@link EngineError} `strict-affinity` or `strict-affinity-unowned-block`
 * Source: Calico libcalico-go lib/ipam, automatic assignment in an allocation block.
 */
export function assignFromQueue(block: BlockRow, request: AssignRequest): Assignment {
  if (request.onlyFor) assertOwnedBy(block, request.onlyFor);
  const taken = new Set<number>();
  for (const ordinal of block.unallocated) {
    if (taken.size >= request.count) break;
    if (request.isReserved?.(addressOfOrdinal(block, ordinal)) !== true) taken.add(ordinal);
  }
  if (taken.size === 0) return { block, addresses: [] };
  return {
    block: withHolder(block, taken, request),
    addresses: [...taken].map((ordinal) => addressOfOrdinal(block, ordinal)),
  };
}

/**
 * Gives out one address, wherever it stands in the queue. Reservations do not matter to one that is asked for by name.
 *
 * @throws {@link EngineError} `exists` when the address is taken or cooling; `strict-affinity`,
 * `strict-affinity-unowned-block`, `address-outside-block`.
 * Source: Calico libcalico-go lib/ipam, assignment of a given address in an allocation block.
 */
export function assignAddress(
  block: BlockRow,
  address: Address,
  request: Holder & Pick<AssignRequest, 'onlyFor'>,
): BlockRow {
  if (request.onlyFor) assertOwnedBy(block, request.onlyFor);
  const ordinal = ordinalIn(block, address);
  if (attributeAt(block, ordinal)) {
    throw new EngineError('exists', `the address ${formatAddress(address)} is assigned already`, {
      details: { address: formatAddress(address) },
    });
  }
  return withHolder(block, new Set([ordinal]), request);
}

function withHolder(block: BlockRow, ordinals: ReadonlySet<number>, holder: Holder): BlockRow {
  const { attributes, index } = findOrAddRecord(block.attributes, holder);
  const sequenceNumbers = new Map(block.sequenceNumbers);
  // The number before the write that gives the address out: whoever releases it later shows that it means this assignment.
  for (const ordinal of ordinals) sequenceNumbers.set(ordinal, block.sequenceNumber);
  return {
    ...block,
    attributes,
    allocations: block.allocations.map((old, ordinal) => (ordinals.has(ordinal) ? index : old)),
    unallocated: block.unallocated.filter((ordinal) => !ordinals.has(ordinal)),
    sequenceNumbers,
  };
}

function assertOwnedBy(block: BlockRow, owner: BlockOwner): void {
  if (block.affinity === affinityText(owner)) return;
  const name = formatCidr(block.cidr);
  if (block.affinity === undefined) {
    throw new EngineError(
      'strict-affinity-unowned-block',
      `block ${name} belongs to nobody, and affinity is strict`,
    );
  }
  throw new EngineError(
    'strict-affinity',
    `block ${name} belongs to ${block.affinity}, not to ${affinityText(owner)}, and affinity is strict`,
  );
}
