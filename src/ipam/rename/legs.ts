import { createHash } from 'node:crypto';
import { stringifyJson } from '../../support/json.ts';

/** Names of nodes, each with the name that it gets. */
export type NameMap = ReadonlyMap<string, string>;

/** Beginning of the name by way of which a cycle goes. */
const TEMPORARY = 'ipamctl-rename-';

/** Digits of the hash of the map in that name. */
const HASH_DIGITS = 12;

/** What tells one map from another, whatever the order of its names: SHA-256 in 64 hexadecimal digits. */
export function hashOfMap(map: NameMap): string {
  const sorted = [...map].sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(stringifyJson(sorted)).digest('hex');
}

/** The name that stands in for a member of a cycle for a while; the same for every run of a map. */
export function temporaryName(map: NameMap): string {
  return `${TEMPORARY}${hashOfMap(map).slice(0, HASH_DIGITS)}`;
}

/** Whether a node gets the name of another one that is renamed, or gives its own to one: part of a chain or a cycle. */
export function isLinked(name: string, map: NameMap): boolean {
  const target = map.get(name);
  return (target !== undefined && map.has(target)) || sourcesOf(map).has(name);
}

/** Old name by new one; kept, since it is asked for name by name. */
const SOURCES = new WeakMap<NameMap, NameMap>();

function sourcesOf(map: NameMap): NameMap {
  const known = SOURCES.get(map);
  if (known) return known;
  const sources = new Map([...map].map(([from, to]) => [to, from]));
  SOURCES.set(map, sources);
  return sources;
}

/**
 * Cuts a map into legs, each of which gives names only that nobody has by then: targets first, level by level, for all
 * chains together; then the cycles, one after another, each by way of the temporary name. No name may get two nodes.
 * @param temporary A name that nobody has.
 */
export function legsOf(map: NameMap, temporary: string): readonly NameMap[] {
  const chains = chainsOf(map);
  const levels: Map<string, string>[] = [];
  for (const { names, end } of chains.filter(({ isCycle }) => !isCycle)) {
    for (const [at, from] of names.entries()) {
      const level = names.length - 1 - at;
      (levels[level] ??= new Map()).set(from, names[at + 1] ?? end);
    }
  }
  const cycles = chains.filter(({ isCycle }) => isCycle);
  return [...levels, ...cycles.flatMap(({ names }) => cycleLegs(names, temporary))];
}

/** Steps from name to name until a name that goes nowhere, or the first one again. */
function walkFrom(
  first: string,
  map: NameMap,
): { readonly names: readonly string[]; readonly isCycle: boolean } {
  const names: string[] = [];
  let name: string | undefined = first;
  while (name !== undefined && map.has(name)) {
    names.push(name);
    name = map.get(name);
    if (name === first) return { names, isCycle: true };
  }
  return { names, isCycle: false };
}

/** The first steps aside, the others move up from the last to the second, and the first takes the place behind it. */
function cycleLegs(cycle: readonly string[], temporary: string): readonly NameMap[] {
  const [first = '', second = ''] = cycle;
  const moves = cycle
    .slice(1)
    .reverse()
    .map((name, at, reversed): [string, string] => [name, reversed[at - 1] ?? first]);
  return [[first, temporary] as const, ...moves, [temporary, second] as const].map(
    (pair) => new Map([pair]),
  );
}

/** Names that are renamed together, in order from the first: a node by itself, a chain, or a cycle. */
export interface Chain {
  readonly names: readonly string[];
  /** Name that the last of them gets. */
  readonly end: string;
  readonly isCycle: boolean;
}

/** A map taken apart into its chains, by their first names. */
export function chainsOf(map: NameMap): readonly Chain[] {
  const targets = sourcesOf(map);
  const heads = [...map.keys()].filter((name) => !targets.has(name)).sort();
  const seen = new Set<string>();
  const chains: Chain[] = [];
  // What no head leads to is on a cycle.
  for (const first of [...heads, ...[...map.keys()].sort()]) {
    if (seen.has(first)) continue;
    const { names, isCycle } = walkFrom(first, map);
    for (const name of names) seen.add(name);
    chains.push({ names, isCycle, end: map.get(names.at(-1) ?? '') ?? '' });
  }
  return chains;
}
