import type { BlockRow } from '../../ipam/model/block.ts';
import type { JsonObject, JsonValue } from '../../ipam/model/resource.ts';
import { type Cidr, cidrsEqual, formatCidr, parseCidr } from '../../net/cidr.ts';
import { parseTime } from '../../support/time.ts';
import { type BlockAttributes, readAttributes } from './block-attributes.ts';
import { readSequenceNumber, readSequenceNumbers } from './block-sequence-numbers.ts';
import { type FieldSource, specOf } from './fields.ts';
import { Misreading, wrongValue } from './misreading.ts';
import { type ObjectHead, rowHead } from './object-head.ts';

const NO_NUMBERS: readonly number[] = [];

/** Reads an IPAMBlock of either group. @throws {@link Misreading} */
export function decodeBlock(head: ObjectHead, object: JsonObject): BlockRow {
  return blockRow(head, specOf(object));
}

/**
 * Makes the row of a block. What is wrong inside the lists stays as damage for `invalid-block`; a wrong
 * CIDR, owner, deletion mark, or a list that is none makes the whole row unreadable.
 *
 * @param keyCidr Prefix that an etcd key names. The value may leave its own out, but not contradict it.
 * @throws {@link Misreading}
 */
export function blockRow(head: ObjectHead, source: FieldSource, keyCidr?: Cidr): BlockRow {
  const { value } = source;
  const misreadings: string[] = [];
  const attributes = readAttributes(value['attributes'], misreadings);
  const { key, revision, uid, createdAt, terminating } = rowHead(head);
  return {
    key,
    revision,
    uid,
    createdAt,
    terminating,
    kind: 'IPAMBlock',
    cidr: readCidr(source, keyCidr),
    affinity: readAffinity(source),
    claimedAt: readClaimTime(value, misreadings),
    allocations: readAllocations(source, attributes),
    unallocated: readUnallocated(source),
    attributes: attributes.records,
    sequenceNumber: readSequenceNumber(value['sequenceNumber'], 'sequenceNumber', misreadings),
    sequenceNumbers: readSequenceNumbers(value['sequenceNumberForAllocation'], misreadings),
    deleted: readDeleted(source),
    misreadings,
  };
}

function readCidr({ value: block, at }: FieldSource, keyCidr: Cidr | undefined): Cidr {
  const value = block['cidr'];
  if (keyCidr && (value === undefined || value === null)) return keyCidr;
  const cidr = typeof value === 'string' ? parseCidr(value) : undefined;
  if (!cidr) throw new Misreading(wrongValue(`${at}cidr`, value, 'CIDR'));
  if (keyCidr && !cidrsEqual(cidr, keyCidr)) {
    throw new Misreading(`its key names ${formatCidr(keyCidr)} and its value ${formatCidr(cidr)}`);
  }
  return cidr;
}

/** An owner that cannot be read makes the row unreadable: a block without owner might be cleared away. */
function readAffinity({ value: block, at }: FieldSource): string | undefined {
  const value = block['affinity'];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw new Misreading(wrongValue(`${at}affinity`, value, 'text'));
  return value;
}

function readDeleted({ value: block, at }: FieldSource): boolean {
  const value = block['deleted'];
  if (value === undefined || value === null) return false;
  if (typeof value !== 'boolean')
    throw new Misreading(wrongValue(`${at}deleted`, value, 'boolean'));
  return value;
}

/** The custom resources and etcd spell this one field differently. */
function readClaimTime(value: JsonObject, misreadings: string[]): number | undefined {
  const text = value['affinityClaimTime'] ?? value['affinity_claim_time'];
  if (text === undefined || text === null) return undefined;
  const time = typeof text === 'string' ? parseTime(text) : undefined;
  if (time === undefined) misreadings.push(wrongValue('affinityClaimTime', text, 'time'));
  return time;
}

/**
 * Attribute index per ordinal. NaN stands for what is no integer, and for the index of an attribute record that cannot be
 * read, because nobody can tell who holds such an address.
 */
function readAllocations(
  { value: block, at }: FieldSource,
  attributes: BlockAttributes,
): readonly (number | null)[] {
  const value = block['allocations'];
  if (value === undefined || value === null) return NO_NUMBERS;
  if (!Array.isArray(value)) throw new Misreading(wrongValue(`${at}allocations`, value, 'list'));
  return indexesOf(value, attributes.broken);
}

/** The list itself unless an entry has to be replaced. */
function indexesOf(
  entries: readonly JsonValue[],
  broken: ReadonlySet<number> | undefined,
): readonly (number | null)[] {
  let replaced: JsonValue[] | undefined;
  for (let ordinal = 0; ordinal < entries.length; ordinal++) {
    const entry = entries[ordinal] as JsonValue;
    if (entry === null) continue;
    const index = integerOrNaN(entry);
    const isBroken = broken !== undefined && broken.has(index);
    if (index === entry && !isBroken) continue;
    replaced ??= entries.slice();
    replaced[ordinal] = isBroken ? NaN : index;
  }
  return (replaced ?? entries) as readonly (number | null)[];
}

function readUnallocated({ value: block, at }: FieldSource): readonly number[] {
  const value = block['unallocated'];
  if (value === undefined || value === null) return NO_NUMBERS;
  if (!Array.isArray(value)) throw new Misreading(wrongValue(`${at}unallocated`, value, 'list'));
  for (let at = 0; at < value.length; at++) {
    if (!Number.isInteger(value[at])) return value.map(integerOrNaN);
  }
  return value as number[];
}

function integerOrNaN(value: JsonValue): number {
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'number' && Number.isInteger(value) ? value : NaN;
}
