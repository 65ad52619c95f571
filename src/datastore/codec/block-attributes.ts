import type { BlockAttribute } from '../../ipam/model/block.ts';
import type { JsonObject, JsonValue } from '../../ipam/model/resource.ts';
import { parseTime } from '../../support/time.ts';
import { isObject } from './fields.ts';
import { Misreading, wrongValue } from './misreading.ts';

/** Attribute records of a block as read. */
export interface BlockAttributes {
  /** One for each entry of the list; an empty one stands where the entry cannot be read. */
  readonly records: readonly BlockAttribute[];
  /** Positions of those, if there are any. */
  readonly broken: ReadonlySet<number> | undefined;
}

type Owner = Readonly<Record<string, string>>;

const NO_OWNER: Owner = Object.freeze({});
const UNREADABLE_RECORD: BlockAttribute = Object.freeze({ owner: NO_OWNER });
const NO_ATTRIBUTES: BlockAttributes = { records: [], broken: undefined };

/**
 * Reads the attribute records of a block; etcd stores null for none.
 * @param misreadings Takes a sentence part for every record that cannot be read.
 * @throws {@link Misreading} when the whole is no list.
 */
export function readAttributes(
  value: JsonValue | undefined,
  misreadings: string[],
): BlockAttributes {
  if (value === undefined || value === null) return NO_ATTRIBUTES;
  if (!Array.isArray(value)) throw new Misreading(wrongValue('attributes', value, 'list'));
  const records: BlockAttribute[] = [];
  let broken: Set<number> | undefined;
  // One for each address of a cluster.
  for (let i = 0; i < value.length; i++) {
    const entry = value[i] as JsonValue;
    const problem = problemOf(entry);
    if (problem === undefined) {
      records.push(recordOf(entry as JsonObject));
      continue;
    }
    broken ??= new Set();
    broken.add(i);
    misreadings.push(`attributes[${i}]${problem}`);
    records.push(UNREADABLE_RECORD);
  }
  return { records, broken };
}

/** What is wrong with a record, to be put behind its name; undefined for a sound one. */
function problemOf(entry: JsonValue): string | undefined {
  if (!isObject(entry)) return wrongValue('', entry, 'object');
  const handle = entry['handle_id'];
  if (handle !== undefined && handle !== null && typeof handle !== 'string') {
    return wrongValue('.handle_id', handle, 'text');
  }
  const releasedAt = entry['releasedAt'];
  if (releasedAt !== undefined && releasedAt !== null && timeOf(releasedAt) === undefined) {
    return wrongValue('.releasedAt', releasedAt, 'time');
  }
  return (
    ownerProblem(entry['secondary'], '.secondary') ??
    ownerProblem(entry['alternateOwnerAttrs'], '.alternateOwnerAttrs')
  );
}

function ownerProblem(value: JsonValue | undefined, path: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) return wrongValue(path, value, 'map of texts');
  for (const name in value) {
    const text = value[name];
    if (typeof text !== 'string' && text !== null) {
      return wrongValue(`${path}.${name}`, text, 'text');
    }
  }
  return undefined;
}

function recordOf(entry: JsonObject): BlockAttribute {
  const releasedAt = entry['releasedAt'];
  const alternate = entry['alternateOwnerAttrs'];
  return {
    handle: (entry['handle_id'] ?? undefined) as string | undefined,
    owner: ownerOf(entry['secondary']),
    alternateOwner: alternate === undefined || alternate === null ? undefined : ownerOf(alternate),
    releasedAt: releasedAt === undefined || releasedAt === null ? undefined : timeOf(releasedAt),
  };
}

/** The parsed object itself, unless a value is null, which Go reads as an empty text. */
function ownerOf(value: JsonValue | undefined): Owner {
  if (!isObject(value)) return NO_OWNER;
  for (const name in value) {
    if (value[name] === null) {
      return Object.fromEntries(
        Object.entries(value).map(([key, text]) => [key, text ?? '']),
      ) as Owner;
    }
  }
  return value as Owner;
}

function timeOf(value: JsonValue): number | undefined {
  return typeof value === 'string' ? parseTime(value) : undefined;
}
