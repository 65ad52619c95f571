import { formatCidr } from '../../net/cidr.ts';
import { stringifyJson } from '../../support/json.ts';
import type { AffinityRow } from '../model/affinity.ts';
import type { BlockAttribute, BlockRow } from '../model/block.ts';
import type { HandleRow } from '../model/handle.ts';
import type { IpamConfigRow } from '../model/ipam-config.ts';
import { readTexts } from '../model/object-metadata.ts';
import type { JsonObject, JsonValue } from '../model/resource.ts';
import { withDefaults } from './import-defaults.ts';

/** Field of the mark of a soft deletion. */
const DELETED = 'mark of deletion';

/** Rows that the third part of a migration file holds. */
export type ImportedRow = AffinityRow | BlockRow | HandleRow | IpamConfigRow;

/**
 * What a row says, as a text that is equal for equal rows: every field but revisions, labels and what servers set, sequence
 * numbers and the order of the free queue included. Times count in whole seconds, as they are stored.
 */
export function rowContent(row: ImportedRow): string {
  return stringifyJson(rowFields(row));
}

/** The same field by field, under the names by which messages call them. */
export function rowFields(row: ImportedRow): Readonly<Record<string, string>> {
  switch (row.kind) {
    case 'IPAMBlock':
      return blockFields(row);
    case 'IPAMHandle':
      return { id: row.id, counts: stringifyJson(countsOf(row)), [DELETED]: String(row.deleted) };
    case 'BlockAffinity':
      return {
        cidr: formatCidr(row.cidr),
        owner: `${row.type} ${row.host}`,
        state: row.state || 'confirmed',
        [DELETED]: String(row.deleted),
      };
    case 'IPAMConfig':
      return {
        'strict affinity': String(row.strictAffinity),
        'automatic allocation': String(row.autoAllocateBlocks),
        'blocks per host': String(row.maxBlocksPerHost),
        'persistence of machines': row.kubeVirtVMAddressPersistence,
        cooldown: String(row.ipCooldownSeconds),
      };
  }
}

/** What a whole object says: labels, annotations and its spec with defaults filled in; name and kind are the caller's. */
export function objectContent(kind: string, object: JsonObject): string {
  const spec = isObject(object['spec']) ? object['spec'] : {};
  return canonicalText([
    readTexts(object, 'labels'),
    readTexts(object, 'annotations'),
    withDefaults(kind, spec),
  ]);
}

/** JSON with the members of each object sorted. */
export function canonicalText(value: JsonValue): string {
  return stringifyJson(sorted(value));
}

function blockFields(row: BlockRow): Readonly<Record<string, string>> {
  const numbers = [...row.sequenceNumbers].sort(([a], [b]) => a - b);
  return {
    cidr: formatCidr(row.cidr),
    owner: row.affinity ?? '',
    'time of the claim': String(seconds(row.claimedAt)),
    'addresses or who holds them': stringifyJson([
      row.allocations,
      row.attributes.map(attributeContent),
    ]),
    'queue of free addresses': stringifyJson(row.unallocated),
    'sequence numbers': stringifyJson([row.sequenceNumber, numbers]),
    [DELETED]: String(row.deleted),
  };
}

function attributeContent({ handle, owner, alternateOwner, releasedAt }: BlockAttribute): unknown {
  return [handle ?? null, sorted(owner), sorted(alternateOwner ?? {}), seconds(releasedAt)];
}

function countsOf({ counts }: HandleRow): readonly unknown[] {
  return counts
    .map(({ text, cidr, count }) => [cidr === undefined ? text : formatCidr(cidr), count] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function seconds(time: number | undefined): number | null {
  return time === undefined ? null : Math.floor(time / 1000);
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
