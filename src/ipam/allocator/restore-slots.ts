import type { BlockAttribute, BlockRow } from '../model/block.ts';
import { dropUnusedRecords } from './attribute-records.ts';
import { attributeAt, isCooling } from './block-content.ts';

/** Whether an address can be given back to who had it: it is free, or still cooling. */
export function canRestore(block: BlockRow, ordinal: number): boolean {
  if (ordinal >= block.allocations.length) return false;
  const attribute = attributeAt(block, ordinal);
  return attribute === undefined || isCooling(attribute);
}

/**
 * Makes slots hold what they held before: a record of who had the address, or, for undefined, nothing. An address that is
 * held again gets the number of the next write, so that what was noted of it before means it no longer; one that is free
 * goes to the tail of the queue.
 */
export function restoreSlots(
  block: BlockRow,
  slots: ReadonlyMap<number, BlockAttribute | undefined>,
): BlockRow {
  const allocations = [...block.allocations];
  const attributes = [...block.attributes];
  const sequenceNumbers = new Map(block.sequenceNumbers);
  const positions = new Map<BlockAttribute, number>();
  const freed: number[] = [];
  for (const [ordinal, attribute] of slots) {
    if (attribute === undefined) {
      allocations[ordinal] = null;
      sequenceNumbers.delete(ordinal);
      freed.push(ordinal);
      continue;
    }
    const position = positions.get(attribute) ?? attributes.push(attribute) - 1;
    positions.set(attribute, position);
    allocations[ordinal] = position;
    sequenceNumbers.set(ordinal, block.sequenceNumber);
  }
  const unallocated = [...block.unallocated.filter((ordinal) => !slots.has(ordinal)), ...freed];
  return dropUnusedRecords({ ...block, allocations, attributes, sequenceNumbers, unallocated });
}
