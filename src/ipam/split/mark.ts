import { stringifyJson } from '../../support/json.ts';
import { type Cidr, parseCidr } from '../../net/cidr.ts';
import { readMark, SPLIT_MARK, SPLIT_SOURCE_MARK } from '../marks.ts';
import { metadataOf, objectOf } from '../model/object-metadata.ts';
import type { PoolRow } from '../model/pool.ts';
import type { JsonObject } from '../model/resource.ts';
import { isPartNumber } from './parts.ts';

/** What a pool was before it was split: enough to make its parts, and to make it again. */
export interface SplitOrigin {
  readonly name: string;
  readonly cidr: Cidr;
  /** Without what the server sets. */
  readonly metadata: JsonObject;
  readonly spec: JsonObject;
  readonly disabled: boolean;
}

/** What a mark of a split says. */
export interface SplitMark {
  /** Number of parts. */
  readonly number: number;
  readonly origin: SplitOrigin;
}

/** The mark of one part. */
export interface PartMark extends SplitMark {
  /** From 0. */
  readonly index: number;
}

/** What only the server sets, and what records who wrote which field. */
const SERVER_FIELDS: ReadonlySet<string> = new Set([
  'name',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
  'selfLink',
]);

/** What a pool that was not split yet is. */
export function originOf(pool: PoolRow): SplitOrigin {
  const metadata = Object.entries(metadataOf(pool.object));
  return {
    name: pool.key.name,
    cidr: pool.cidr,
    metadata: Object.fromEntries(metadata.filter(([name]) => !SERVER_FIELDS.has(name))),
    spec: objectOf(pool.object?.['spec']),
    disabled: pool.disabled,
  };
}

/** Text of the mark of a part, or without an index of the pool itself. */
export function markText({ number, origin }: SplitMark, index?: number): string {
  const { name, metadata, spec, disabled } = origin;
  return stringifyJson({ number, index, name, disabled, metadata, spec });
}

/** The mark of a pool that is a part of another; undefined for any other pool. */
export function partMarkOf(pool: PoolRow): PartMark | undefined {
  const mark = readMark(pool.object, SPLIT_MARK);
  const read = mark && readSplit(mark);
  const index = mark?.['index'];
  if (!read || typeof index !== 'number' || !Number.isInteger(index)) return undefined;
  return index >= 0 && index < read.number ? { ...read, index } : undefined;
}

/** The mark of a pool that is being split, or made whole again. */
export function sourceMarkOf(pool: PoolRow): SplitMark | undefined {
  const mark = readMark(pool.object, SPLIT_SOURCE_MARK);
  return mark && readSplit(mark);
}

function readSplit(mark: JsonObject): SplitMark | undefined {
  const { number, name, disabled } = mark;
  const spec = objectOf(mark['spec']);
  const cidr = typeof spec['cidr'] === 'string' ? parseCidr(spec['cidr']) : undefined;
  if (typeof number !== 'number' || !isPartNumber(number)) return undefined;
  if (typeof name !== 'string' || cidr === undefined) return undefined;
  const metadata = objectOf(mark['metadata']);
  return { number, origin: { name, cidr, metadata, spec, disabled: disabled === true } };
}
