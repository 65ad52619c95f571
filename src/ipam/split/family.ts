import { cidrsEqual, formatCidr } from '../../net/cidr.ts';
import type { PoolRow } from '../model/pool.ts';
import { partMarkOf, sourceMarkOf, type SplitMark, type SplitOrigin } from './mark.ts';

/** A pool that was or is being split, with what is there of it. */
export interface SplitFamily {
  readonly origin: SplitOrigin;
  readonly number: number;
  /** The pool itself, while it is there. */
  readonly source: PoolRow | undefined;
  /** Parts that are there, by index. */
  readonly parts: ReadonlyMap<number, PoolRow>;
}

interface OpenFamily extends SplitFamily {
  source: PoolRow | undefined;
  readonly parts: Map<number, PoolRow>;
}

/** Every pool that was split, as the marks on pools tell. */
export function splitFamilies(pools: readonly PoolRow[]): readonly SplitFamily[] {
  const families = new Map<string, OpenFamily>();
  const familyOf = ({ origin, number }: SplitMark): OpenFamily => {
    const id = `${origin.name} ${formatCidr(origin.cidr)} ${number}`;
    let family = families.get(id);
    if (!family)
      families.set(id, (family = { origin, number, source: undefined, parts: new Map() }));
    return family;
  };
  for (const pool of pools) {
    const mark = partMarkOf(pool);
    if (mark) familyOf(mark).parts.set(mark.index, pool);
    const source = sourceMarkOf(pool);
    if (source && isOrigin(pool, source.origin)) familyOf(source).source = pool;
  }
  for (const family of families.values())
    family.source ??= pools.find((pool) => isOrigin(pool, family.origin));
  return [...families.values()];
}

/** A split that was begun, forwards or back, and did not come to its end: the pool is there beside parts or marks. */
export function isUnfinished({ source }: SplitFamily): boolean {
  return source !== undefined;
}

function isOrigin(pool: PoolRow, origin: SplitOrigin): boolean {
  return pool.key.name === origin.name && cidrsEqual(pool.cidr, origin.cidr);
}
