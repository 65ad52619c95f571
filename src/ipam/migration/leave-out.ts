import { isWindowsHandle } from '../accounting/kind.ts';
import { ownerOfAffinity } from '../block-owner.ts';
import type { JsonObject, JsonValue } from '../model/resource.ts';
import { isJsonObject, objectAt, textAt, without } from './json-value.ts';
import type { NodeNames } from './node-names.ts';

/** What is left of a block without the nodes that are left out. */
export interface BlockRemainder {
  /** The block; undefined when all of it goes. */
  readonly value: JsonObject | undefined;
  /** Handle ids of the addresses that were freed in a block which stays, once for each address. */
  readonly freedHandles: readonly string[];
  readonly freedAddresses: number;
  /** Whether it stays because of others, but has lost its owner. */
  readonly isDisowned: boolean;
}

/** Whose an address is: nobody's while it cools, the block's owner's when a Windows node reserves it. */
type Holder = 'skipped' | 'other' | 'nobody' | 'block';

const CLAIM: ReadonlySet<string> = new Set(['affinity_claim_time']);
const ALTERNATE: ReadonlySet<string> = new Set(['alternateOwnerAttrs']);

/**
 * Takes the nodes that are left out of a healed block. A block of theirs goes, unless it holds an address that may be
 * somebody else's: then it stays without owner. Their addresses in a block that stays are freed, behind the free ones.
 * Sequence numbers stay.
 */
export function leaveOutOfBlock(value: JsonObject, names: NodeNames): BlockRemainder {
  const owner = ownerOfAffinity(textAt(value, 'affinity'));
  const isOwned = owner?.type === 'host' && names.isSkipped(owner.host);
  const attributes = listAt(value, 'attributes').map((entry) => (isJsonObject(entry) ? entry : {}));
  const holders = attributes.map((attribute) => holderOf(attribute, names));
  const slots = listAt(value, 'allocations');
  const isHeld = slots.some((index) => typeof index === 'number' && holders[index] === 'other');
  if (isOwned && !isHeld) return { ...NOTHING_FREED, value: undefined };
  const freed = slots.flatMap((index, ordinal) =>
    typeof index === 'number' && holders[index] === 'skipped' ? [ordinal] : [],
  );
  const rest = withoutAlternates(value, attributes, names);
  return {
    value: isOwned
      ? { ...without(freeSlots(rest, freed), CLAIM), affinity: null }
      : freeSlots(rest, freed),
    freedHandles: freed.flatMap((ordinal) => {
      const attribute = attributes[slots[ordinal] as number];
      return (attribute && textAt(attribute, 'handle_id')) ?? [];
    }),
    freedAddresses: freed.length,
    isDisowned: isOwned,
  };
}

const NOTHING_FREED = { freedHandles: [], freedAddresses: 0, isDisowned: false } as const;

function holderOf(attribute: JsonObject, names: NodeNames): Holder {
  const handle = textAt(attribute, 'handle_id');
  if (attribute['releasedAt'] !== undefined) return 'nobody';
  if (isWindowsHandle(handle)) return 'block';
  if (handle !== undefined && names.isSkippedHandle(handle)) return 'skipped';
  const node = nodeOf(attribute, 'secondary');
  if (node === undefined || !names.isSkipped(node)) return 'other';
  const alternate = nodeOf(attribute, 'alternateOwnerAttrs');
  return alternate === undefined || names.isSkipped(alternate) ? 'skipped' : 'other';
}

/**
 * A machine that moves has two owners. Of one that moves from or to a node which is left out, the other side alone is
 * left, as the active one.
 */
function withoutAlternates(
  value: JsonObject,
  attributes: readonly JsonObject[],
  names: NodeNames,
): JsonObject {
  const isSkipped = (attribute: JsonObject, name: string): boolean => {
    const node = nodeOf(attribute, name);
    return node !== undefined && names.isSkipped(node);
  };
  const sides = attributes.map((attribute): JsonObject => {
    if (isSkipped(attribute, 'alternateOwnerAttrs')) return without(attribute, ALTERNATE);
    const isMoved =
      isSkipped(attribute, 'secondary') && isJsonObject(attribute['alternateOwnerAttrs']);
    if (!isMoved) return attribute;
    return { ...without(attribute, ALTERNATE), secondary: attribute['alternateOwnerAttrs'] ?? {} };
  });
  return { ...value, attributes: sides };
}

/** Frees slots; attributes to which no slot points any more go, and the others move up. */
function freeSlots(value: JsonObject, freed: readonly number[]): JsonObject {
  if (freed.length === 0) return value;
  const gone = new Set(freed);
  const slots = listAt(value, 'allocations').map((index, ordinal) =>
    gone.has(ordinal) ? null : index,
  );
  const used = new Set(slots.filter((index) => typeof index === 'number'));
  const attributes = listAt(value, 'attributes');
  const places = new Map<JsonValue, number>();
  const kept = attributes.filter((_attribute, index) => {
    if (used.has(index)) places.set(index, places.size);
    return used.has(index);
  });
  return {
    ...value,
    allocations: slots.map((index) => (index === null ? null : (places.get(index) ?? null))),
    unallocated: [...listAt(value, 'unallocated'), ...freed],
    attributes: kept,
    sequenceNumberForAllocation: without(
      objectAt(value, 'sequenceNumberForAllocation'),
      new Set(freed.map(String)),
    ),
  };
}

function nodeOf(attribute: JsonObject, name: string): string | undefined {
  return textAt(objectAt(attribute, name), 'node');
}

function listAt(value: JsonObject, name: string): readonly JsonValue[] {
  const list = value[name];
  return Array.isArray(list) ? list : [];
}
