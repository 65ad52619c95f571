import { attributeAt } from '../../ipam/allocator/block-content.ts';
import type { BlockAttribute, BlockRow } from '../../ipam/model/block.ts';
import type { JsonObject, JsonValue } from '../../ipam/model/resource.ts';
import { slotText } from '../undo/same-row.ts';

/** A block as a renaming found it, and as each of its writes left it. */
export interface BlockHistory {
  readonly first: BlockRow;
  readonly later: readonly BlockRow[];
}

/** A block under its first names. */
export interface RestoredBlock {
  readonly block: BlockRow;
  readonly isChanged: boolean;
  /** Addresses that were released or given to others since, and keep what they hold. */
  readonly others: number;
  /** The block has got another owner since, and keeps it. */
  readonly isOwnedAnew: boolean;
}

/**
 * Gives a block the names back that it had: its owner, if it still is one that the renaming gave it, and each record whose
 * address is still held as one of the writes left it.
 */
export function restoreBlockNames(current: BlockRow, history: BlockHistory): RestoredBlock {
  const { first, later } = history;
  const isOurs = [first, ...later].some(({ affinity }) => affinity === current.affinity);
  const affinity = isOurs ? first.affinity : current.affinity;
  const { attributes, allocations, stored, others } = restoreRecords(current, history);
  const isChanged = affinity !== current.affinity || attributes !== current.attributes;
  const restored = { isChanged, others, isOwnedAnew: !isOurs };
  if (!isChanged) return { block: current, ...restored };
  const sequenceNumber = current.sequenceNumber + 1n;
  const object = current.object && withAttributes(current.object, stored);
  const block = { ...current, affinity, attributes, allocations, sequenceNumber, object };
  return { block, ...restored };
}

interface RestoredRecords {
  readonly attributes: readonly BlockAttribute[];
  readonly allocations: readonly (number | null)[];
  /** The same records as stored, with what ipamctl does not know of them. */
  readonly stored: readonly JsonValue[];
  readonly others: number;
}

/** An address whose record goes back is given a record of its own if others, which stay, share the one that it has. */
function restoreRecords(current: BlockRow, history: BlockHistory): RestoredRecords {
  const { first } = history;
  const attributes = [...current.attributes];
  const stored = [...storedRecords(current)];
  const allocations = [...current.allocations];
  const replaced = new Map<number, number>();
  const due = dueOrdinals(current, history);
  const kept = new Set(
    allocations.filter((index, ordinal) => index !== null && !due.ordinals.has(ordinal)),
  );
  for (const ordinal of due.ordinals) {
    const index = allocations[ordinal];
    const origin = first.allocations[ordinal];
    const record = attributeAt(first, ordinal);
    if (typeof index !== 'number' || typeof origin !== 'number' || record === undefined) continue;
    const isFree = !kept.has(index) && (replaced.get(index) ?? origin) === origin;
    const at = isFree ? index : attributes.length;
    replaced.set(at, origin);
    attributes[at] = record;
    stored[at] = storedRecords(first)[origin] ?? stored[at] ?? {};
    allocations[ordinal] = at;
  }
  const isChanged = due.ordinals.size > 0;
  return {
    attributes: isChanged ? attributes : current.attributes,
    allocations,
    stored,
    others: due.others,
  };
}

/** Addresses that hold what the renaming left them, and are to hold what they held before. */
function dueOrdinals(
  current: BlockRow,
  { first, later }: BlockHistory,
): { readonly ordinals: ReadonlySet<number>; readonly others: number } {
  const ordinals = new Set<number>();
  let others = 0;
  for (const ordinal of first.allocations.keys()) {
    const [was, is] = [slotText(first, ordinal), slotText(current, ordinal)];
    const states = later.map((row) => slotText(row, ordinal));
    if (is === was || states.every((state) => state === was)) continue;
    if (is !== undefined && states.includes(is)) ordinals.add(ordinal);
    else others++;
  }
  return { ordinals, others };
}

function storedRecords({ object }: BlockRow): readonly JsonValue[] {
  const { attributes } = holderOf(object ?? {});
  return Array.isArray(attributes) ? attributes : [];
}

function withAttributes(object: JsonObject, records: readonly JsonValue[]): JsonObject {
  const holder = holderOf(object);
  const changed = { ...holder, attributes: [...records] };
  return holder === object ? changed : { ...object, spec: changed };
}

/** Where the fields of a block stand: in the spec of an object, or in the value of a key. */
function holderOf(object: JsonObject): JsonObject {
  const { spec } = object;
  return typeof spec === 'object' && spec !== null && !Array.isArray(spec) ? spec : object;
}
