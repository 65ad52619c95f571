import { EngineError } from '../../errors/engine-error.ts';
import { type Cidr, cidrFamily, formatCidr } from '../../net/cidr.ts';
import type { HandleCount, HandleRow } from '../model/handle.ts';

/** How many addresses a handle claims in one block, and how many it gets or loses. */
export interface CountChange {
  readonly block: Cidr;
  readonly by: number;
}

/** Most addresses that a handle may hold per IP version. */
export interface HandleCap {
  /** 0 for no limit. */
  readonly limit: number;
  /** Number asked for, which is what counts against the limit. */
  readonly asked: number;
}

/** The row with a higher count for the block, in the order of the blocks' texts. */
export function raiseCount(row: HandleRow, { block, by }: CountChange): HandleRow {
  const text = formatCidr(block);
  const count = (row.counts.find((entry) => entry.text === text)?.count ?? 0) + by;
  const others = row.counts.filter((entry) => entry.text !== text);
  return { ...row, counts: [...others, { text, cidr: block, count }].sort(byText) };
}

/**
 * The row with a lower count; undefined when the row holds nothing any more and has to go.
 *
 * @throws {@link EngineError} `not-found` when the row claims less than that: then it is left as it is.
 */
export function lowerCount(row: HandleRow, { block, by }: CountChange): HandleRow | undefined {
  const text = formatCidr(block);
  const entry = row.counts.find((one) => one.text === text);
  if (!entry || entry.count < by) {
    throw new EngineError(
      'not-found',
      `handle "${row.id}" counts ${entry?.count ?? 0} addresses in block ${text}, not ${by}`,
    );
  }
  const others = row.counts.filter((one) => one !== entry);
  const counts =
    entry.count === by ? others : [...others, { ...entry, count: entry.count - by }].sort(byText);
  return counts.length === 0 ? undefined : { ...row, counts };
}

/** Refuses what would take a handle beyond its limit. @throws {@link EngineError} `handle-cap` */
export function assertBelowCap(row: HandleRow, block: Cidr, { limit, asked }: HandleCap): void {
  if (limit <= 0) return;
  const family = cidrFamily(block);
  // A text that is no prefix counts by its look, as everything with a colon does.
  const held = row.counts
    .filter(({ text }) => (text.includes(':') ? 6 : 4) === family)
    .reduce((sum, { count }) => sum + count, 0);
  if (held + asked <= limit) return;
  throw new EngineError(
    'handle-cap',
    `handle "${row.id}" holds ${held} addresses of IPv${family} and may hold ${limit}`,
    {
      details: { handle: row.id, held, limit },
    },
  );
}

function byText(a: HandleCount, b: HandleCount): number {
  return a.text < b.text ? -1 : 1;
}
