import type { JsonObject, JsonValue } from './json.ts';

/** Containers deeper than this are not noted, which bounds the calls within each other. */
const MAX_TRAIL = 16;
/** Most ways on from a container; what has more of them has names of its own, and helps to find nothing in others. */
const MAX_STEPS = 16;

/** How containers with marked texts are reached from a list's items, and from each other. */
class Trail {
  /** Whether such texts are members of the container itself. */
  isEnd = false;
  /** Members to go on by, and the trails from there; the elements of a list have one in common, under no name. */
  readonly steps: { readonly name: string; readonly trail: Trail }[] = [];

  /** Whether it leads anywhere. */
  get isKnown(): boolean {
    return this.isEnd || this.steps.length > 0;
  }

  step(name: string): Trail {
    const known = this.steps.find((step) => step.name === name);
    if (known) return known.trail;
    const trail = new Trail();
    if (this.steps.length < MAX_STEPS) this.steps.push({ name, trail });
    return trail;
  }
}

/** A container on the way to those that are still to be looked at. */
interface Place {
  readonly container: Container;
  readonly depth: number;
  readonly name: string;
  readonly within: Place | undefined;
}

type Container = JsonObject | JsonValue[];

/**
 * Replaces marked texts in a parsed value by the bigints that they spell, in place; answers the value.
 *
 * @remarks Items of a list are built alike. Where the first ones held such texts is where they are looked for in the others;
 * only when these places hold too few everything is looked at, which takes half as long as the parse does.
 * @param mark Character that stands in front of the digits, and in no other text of the value.
 * @param count How many there are, or more where members were repeated.
 */
export function restoreMarks(root: JsonValue, mark: string, count: number): JsonValue {
  if (isMarked(root, mark)) return BigInt(root.slice(1));
  if (!isContainer(root)) return root;
  let missing = count;
  if (Array.isArray(root)) {
    const trail = new Trail();
    for (let at = 0; at < root.length && missing > 0; at++)
      missing -= restoreItem(root[at] as JsonValue, mark, trail);
  }
  if (missing > 0) explore(root, mark);
  return root;
}

function restoreItem(item: JsonValue, mark: string, trail: Trail): number {
  if (!isContainer(item)) return 0;
  return trail.isKnown ? follow(item, mark, trail) : explore(item, mark, trail);
}

/**
 * Looks at everything, with a stack of its own instead of calls, since JSON.parse takes any depth.
 * @param trail Where to note what was found, if that is of use.
 */
function explore(root: Container, mark: string, trail?: Trail): number {
  let found = 0;
  const open: Place[] = [{ container: root, depth: 0, name: '', within: undefined }];
  for (let place = open.pop(); place; place = open.pop()) {
    const within = place;
    const restored = restoreMembers(within.container, mark, (container, name) => {
      open.push({ container, depth: within.depth + 1, name, within });
    });
    found += restored;
    if (trail && restored > 0 && within.depth <= MAX_TRAIL) trailTo(within, trail).isEnd = true;
  }
  return found;
}

function trailTo(place: Place, trail: Trail): Trail {
  return place.within === undefined ? trail : trailTo(place.within, trail).step(place.name);
}

function follow(container: Container, mark: string, { isEnd, steps }: Trail): number {
  let found = isEnd ? restoreMembers(container, mark) : 0;
  // Every block of a cluster passes here, in code that has not been optimised.
  for (let at = 0; at < steps.length; at++) {
    const { name, trail } = steps[at] as { name: string; trail: Trail };
    if (!Array.isArray(container)) found += followMember(container[name], mark, trail);
    else if (name === '')
      for (let i = 0; i < container.length; i++) found += followMember(container[i], mark, trail);
  }
  return found;
}

function followMember(value: JsonValue | undefined, mark: string, trail: Trail): number {
  return isContainer(value) ? follow(value, mark, trail) : 0;
}

/** Replaces the marked members of one object or list. @param onContainer Told of those that have members of their own. */
function restoreMembers(
  container: Container,
  mark: string,
  onContainer?: (container: Container, name: string) => void,
): number {
  const members = container as Record<string | number, JsonValue>;
  // Positions of a list as texts would cost most of the time.
  const names = Array.isArray(container) ? undefined : Object.keys(container);
  const length = names?.length ?? (container as JsonValue[]).length;
  let found = 0;
  for (let at = 0; at < length; at++) {
    const key = names?.[at] ?? at;
    const value = members[key] as JsonValue;
    if (isMarked(value, mark)) {
      members[key] = BigInt(value.slice(1));
      found++;
    } else if (onContainer && isContainer(value)) onContainer(value, names?.[at] ?? '');
  }
  return found;
}

function isMarked(value: JsonValue, mark: string): value is string {
  return typeof value === 'string' && value.startsWith(mark);
}

function isContainer(value: JsonValue | undefined): value is Container {
  return typeof value === 'object' && value !== null;
}
