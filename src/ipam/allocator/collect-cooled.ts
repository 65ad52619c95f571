import type { BlockRow } from '../model/block.ts';
import { dropUnusedRecords } from './attribute-records.ts';
import { attributeAt } from './block-content.ts';

/** What decides whether a released address may be given out again. */
export interface Cooling {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Minimum age of a release; 0 and less free an address at once. */
  readonly cooldownSeconds: number;
}

/**
 * Returns addresses whose cooldown is over to the tail of the free queue, in order of their ordinals, and drops records
 * that nobody uses. This is the only way back into the queue.
 *
 * @remarks Without a cooldown every released address is due, whatever the clock says: clocks differ, and a stored time
 * has whole seconds.
 * @returns the same object when nothing changed.
 * Source: Calico libcalico-go lib/ipam, garbage collection of an allocation block.
 */
export function collectCooled(block: BlockRow, cooling: Cooling): BlockRow {
  const due: number[] = [];
  for (const [ordinal, index] of block.allocations.entries()) {
    if (index === null) continue;
    const releasedAt = attributeAt(block, ordinal)?.releasedAt;
    if (releasedAt !== undefined && isDue(releasedAt, cooling)) due.push(ordinal);
  }
  if (due.length === 0) return dropUnusedRecords(block);
  const allocations = [...block.allocations];
  const sequenceNumbers = new Map(block.sequenceNumbers);
  for (const ordinal of due) {
    allocations[ordinal] = null;
    sequenceNumbers.delete(ordinal);
  }
  return dropUnusedRecords({
    ...block,
    allocations,
    sequenceNumbers,
    unallocated: [...block.unallocated, ...due],
  });
}

function isDue(releasedAt: number, { now, cooldownSeconds }: Cooling): boolean {
  return cooldownSeconds <= 0 || releasedAt < now - cooldownSeconds * 1000;
}
