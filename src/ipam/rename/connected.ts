/**
 * Puts items together that share a thing, directly or through others, in the order of their first items; those of one
 * group keep their order.
 */
export function connectedGroups<T>(
  items: readonly T[],
  thingsOf: (item: T) => Iterable<unknown>,
): readonly (readonly T[])[] {
  const groupOf = new Map<unknown, Group<T>>();
  const groups = new Set<Group<T>>();
  for (const [at, item] of items.entries()) {
    const group: Group<T> = { entries: [{ at, item }], things: new Set(thingsOf(item)) };
    const others = new Set([...group.things].flatMap((thing) => groupOf.get(thing) ?? []));
    for (const other of others) {
      group.entries.push(...other.entries);
      for (const thing of other.things) group.things.add(thing);
      groups.delete(other);
    }
    for (const thing of group.things) groupOf.set(thing, group);
    groups.add(group);
  }
  return [...groups]
    .map(({ entries }) => entries.sort((a, b) => a.at - b.at))
    .sort(([a], [b]) => (a?.at ?? 0) - (b?.at ?? 0))
    .map((entries) => entries.map(({ item }) => item));
}

interface Group<T> {
  readonly entries: { readonly at: number; readonly item: T }[];
  readonly things: Set<unknown>;
}
