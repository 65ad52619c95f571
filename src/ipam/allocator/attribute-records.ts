import type { BlockAttribute, BlockRow } from '../model/block.ts';

/** Free-form texts about who holds an address, such as `pod`, `namespace` and `node`. */
export type OwnerAttributes = Readonly<Record<string, string>>;

/** Who is to hold an address. */
export interface Holder {
  /** Undefined for none, which differs from an empty one. */
  readonly handle?: string | undefined;
  readonly attributes?: OwnerAttributes | undefined;
}

/** Records of a block with the position of one of them. */
export interface RecordPosition {
  readonly attributes: readonly BlockAttribute[];
  readonly index: number;
}

/**
 * Finds the record of a holder or appends one. Only the very same handle text and the very same attributes share a record,
 * and never with an address that has a second owner or is cooling.
 *
 * @remarks An empty map of attributes is stored as an absent one, and therefore never matches a record that was read.
 * Source: Calico libcalico-go lib/ipam, attributes of an allocation block.
 */
export function findOrAddRecord(
  records: readonly BlockAttribute[],
  holder: Holder,
): RecordPosition {
  const owner = holder.attributes ?? {};
  const isUnmatchable = holder.attributes !== undefined && Object.keys(owner).length === 0;
  const index = isUnmatchable
    ? -1
    : records.findIndex((record) => isRecordOf(record, holder.handle, owner));
  if (index >= 0) return { attributes: records, index };
  return { attributes: [...records, { handle: holder.handle, owner }], index: records.length };
}

function isRecordOf(
  record: BlockAttribute,
  handle: string | undefined,
  owner: OwnerAttributes,
): boolean {
  return (
    record.handle === handle &&
    record.releasedAt === undefined &&
    record.alternateOwner === undefined &&
    isSameMap(record.owner, owner)
  );
}

/** Whether two maps hold the same texts. */
export function isSameMap(a: OwnerAttributes, b: OwnerAttributes): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && a[name] === b[name])
  );
}

/** The block without records to which no ordinal points; the others keep their order. The same block when all are used. */
export function dropUnusedRecords(block: BlockRow): BlockRow {
  const used = new Set<number>();
  for (const index of block.allocations) if (index !== null) used.add(index);
  if (used.size === block.attributes.length) return block;
  const positions = new Map<number, number>();
  const attributes = block.attributes.filter((_record, index) => {
    if (!used.has(index)) return false;
    positions.set(index, positions.size);
    return true;
  });
  const allocations = block.allocations.map((index) =>
    index === null ? null : (positions.get(index) ?? index),
  );
  return { ...block, attributes, allocations };
}
