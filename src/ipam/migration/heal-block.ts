import { formatCidr } from '../../net/cidr.ts';
import type { BlockRow } from '../model/block.ts';
import type { JsonObject, JsonValue } from '../model/resource.ts';
import type { HealingTally } from './healing.ts';
import { isJsonObject, textAt, without } from './json-value.ts';
import { cutHandleId } from './node-names.ts';

/** Fields that are written anew in any case, or not at all any more. */
const REPLACED: ReadonlySet<string> = new Set(['cidr', 'affinity', 'hostAffinity']);

/**
 * The value of a block in etcd in the form of today: every field there that a reader may count on, no old one. Unknown
 * fields are kept.
 * Source: Calico libcalico-go lib/backend/model block.go, fields and what their absence means.
 *
 * Departs from upstream: the owner of an old block, in `hostAffinity`, is not lost.
 */
export function healBlock(value: JsonObject, row: BlockRow, tally: HealingTally): JsonObject {
  const cidr = formatCidr(row.cidr);
  if (value['cidr'] !== cidr) tally.add('other-spelling');
  return {
    cidr,
    affinity: ownerOf(value, tally) ?? null,
    ...without(value, REPLACED),
    allocations: value['allocations'] ?? [],
    unallocated: orElse(value['unallocated'], () => healed(tally, 'null-values', [])),
    attributes: attributesOf(value['attributes'], tally),
    ...sequenceOf(value, tally),
    deleted: orElse(value['deleted'], () => healed(tally, 'missing-deleted', false)),
  };
}

/** Members of attributes that hold an owner's texts. */
const OWNERS: ReadonlySet<string> = new Set(['secondary', 'alternateOwnerAttrs']);
const KNOWN: ReadonlySet<string> = new Set([...OWNERS, 'handle_id', 'releasedAt']);

function ownerOf(value: JsonObject, tally: HealingTally): string | undefined {
  const owner = textAt(value, 'affinity');
  if (value['hostAffinity'] === undefined) return owner;
  tally.add('host-affinity');
  const host = textAt(value, 'hostAffinity');
  return owner ?? (host === undefined ? undefined : `host:${host}`);
}

function sequenceOf(value: JsonObject, tally: HealingTally): JsonObject {
  const number = value['sequenceNumber'] ?? undefined;
  const numbers = value['sequenceNumberForAllocation'] ?? undefined;
  if (number === undefined || numbers === undefined) tally.add('missing-sequence');
  return { sequenceNumber: number ?? 0, sequenceNumberForAllocation: numbers ?? {} };
}

function attributesOf(value: JsonValue | undefined, tally: HealingTally): JsonValue {
  if (!Array.isArray(value)) return healed(tally, 'null-attributes', []);
  return value.map((entry) => (isJsonObject(entry) ? healAttribute(entry, tally) : entry));
}

/** An attribute record without known members of null, and with texts of null as the empty texts that they are read as. */
function healAttribute(attribute: JsonObject, tally: HealingTally): JsonObject {
  const entries = Object.entries(attribute);
  if (entries.some(([name, value]) => hasNull(name, value))) tally.add('null-values');
  const members = entries.flatMap(([name, value]) => {
    if (!hasNull(name, value)) return [[name, value] as const];
    return isJsonObject(value) ? [[name, withoutNulls(value)] as const] : [];
  });
  const whole = Object.fromEntries(members);
  const id = textAt(attribute, 'handle_id');
  if (id === undefined || cutHandleId(id) === id) return whole;
  tally.add('handle-id-cut');
  return { ...whole, handle_id: cutHandleId(id) };
}

function hasNull(name: string, value: JsonValue): boolean {
  if (value === null) return KNOWN.has(name);
  return OWNERS.has(name) && isJsonObject(value) && Object.values(value).includes(null);
}

function withoutNulls(texts: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text ?? '']));
}

function orElse(value: JsonValue | undefined, otherwise: () => JsonValue): JsonValue {
  return value ?? otherwise();
}

function healed<T extends JsonValue>(
  tally: HealingTally,
  code: Parameters<HealingTally['add']>[0],
  value: T,
): T {
  tally.add(code);
  return value;
}
