import { DataError } from '../../errors/data-error.ts';
import type { BlockAttribute, BlockRow } from '../../ipam/model/block.ts';
import type { JsonObject, JsonValue } from '../../ipam/model/resource.ts';
import { formatCidr } from '../../net/cidr.ts';
import { stringifyJson } from '../../support/json.ts';
import { formatTime, parseTime } from '../../support/time.ts';
import { readAttributes } from './block-attributes.ts';
import {
  type FieldValues,
  integerValue,
  mergeFields,
  orderFields,
  sortedMap,
} from './encode-fields.ts';

/**
 * The spec of a block in either group, over the one that was read.
 * Source: Calico libcalico-go lib/backend/k8s/resources ipam_block.go.
 * @throws {@link DataError} when the block was damaged: what could not be read cannot be written back.
 */
export function encodeBlockSpec(row: BlockRow, base: JsonObject): JsonObject {
  assertWhole(row);
  return mergeFields(base, {
    cidr: formatCidr(row.cidr),
    affinity: row.affinity,
    affinityClaimTime: timeText(row.claimedAt, base['affinityClaimTime']),
    ...contents(row, base),
    strictAffinity: false,
  });
}

/**
 * The value of a block in etcd, over the one that was read, in Calico's order of members.
 * Source: Calico libcalico-go lib/backend/model block.go.
 * @throws {@link DataError} when the block was damaged.
 */
export function encodeBlockEntry(row: BlockRow, base: JsonObject): JsonObject {
  assertWhole(row);
  const isUntouched = row.attributes.length === 0 && !Array.isArray(base['attributes']);
  return orderFields(base, {
    cidr: formatCidr(row.cidr),
    affinity: row.affinity ?? null,
    affinity_claim_time: timeText(row.claimedAt, base['affinity_claim_time']),
    ...contents(row, base),
    // A list that was never made differs from an emptied one, and Calico keeps the two apart.
    ...(isUntouched ? { attributes: null } : {}),
    deleted: row.deleted,
  });
}

function contents(row: BlockRow, base: JsonObject): FieldValues {
  return {
    allocations: [...row.allocations],
    unallocated: [...row.unallocated],
    attributes: encodeAttributes(row.attributes, base['attributes']),
    sequenceNumber: integerValue(row.sequenceNumber),
    sequenceNumberForAllocation: sequenceNumbers(row.sequenceNumbers),
    deleted: row.deleted,
  };
}

function assertWhole(row: BlockRow): void {
  const hasWildNumber = row.allocations.some(Number.isNaN) || row.unallocated.some(Number.isNaN);
  if (row.misreadings.length === 0 && !hasWildNumber) return;
  const name = formatCidr(row.cidr);
  throw new DataError(
    `block ${name} is damaged and cannot be changed without losing what it holds`,
    {
      details: { block: name, misreadings: row.misreadings },
      hint: 'See what is wrong with it: ipamctl ipam check --rule invalid-block',
    },
  );
}

function sequenceNumbers(numbers: ReadonlyMap<number, bigint>): JsonObject {
  return Object.fromEntries(
    [...numbers].map(([ordinal, number]) => [String(ordinal), integerValue(number)]),
  );
}

/** Records of which more was read than is known are written back as they were. */
function encodeAttributes(
  records: readonly BlockAttribute[],
  base: JsonValue | undefined,
): JsonValue[] {
  const originals = unusualRecords(base);
  return records.map((record) => {
    const encoded = encodeAttribute(record);
    return originals.size === 0 ? encoded : (originals.get(stringifyJson(encoded)) ?? encoded);
  });
}

function encodeAttribute(record: BlockAttribute): JsonObject {
  const { handle, owner, alternateOwner, releasedAt } = record;
  return mergeFields(
    {},
    {
      handle_id: handle,
      secondary: mapValue(owner),
      alternateOwnerAttrs: mapValue(alternateOwner),
      releasedAt: timeText(releasedAt, undefined),
    },
  );
}

function mapValue(map: Readonly<Record<string, string>> | undefined): JsonObject | undefined {
  return map === undefined || Object.keys(map).length === 0 ? undefined : sortedMap(map);
}

/** What was stored, by what we would write, for the records where the two differ. */
function unusualRecords(base: JsonValue | undefined): ReadonlyMap<string, JsonValue> {
  const unusual = new Map<string, JsonValue>();
  if (!Array.isArray(base)) return unusual;
  const { records } = readAttributes(base, []);
  for (const [i, record] of records.entries()) {
    const stored = base[i] as JsonValue;
    const text = stringifyJson(encodeAttribute(record));
    if (text !== stringifyJson(stored)) unusual.set(text, stored);
  }
  return unusual;
}

/** Whole seconds, as Go prints times; a stored text that means the same time stays. */
function timeText(
  milliseconds: number | undefined,
  stored: JsonValue | undefined,
): string | undefined {
  if (milliseconds === undefined) return undefined;
  if (typeof stored === 'string' && parseTime(stored) === milliseconds) return stored;
  return formatTime(Math.floor(milliseconds / 1000) * 1000);
}
