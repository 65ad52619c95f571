import { NotFoundError } from '../../errors/not-found-error.ts';
import { PreconditionError } from '../../errors/precondition-error.ts';
import type { PlanItem } from '../../ipam/plan.ts';
import { type Chain, chainsOf, type NameMap } from '../../ipam/rename/legs.ts';
import type { RenameLook } from './rename-look.ts';
import { isNotedDone } from './rename-mark.ts';
import { RenameWorld } from './rename-world.ts';

/**
 * The part of a map that is not done yet; empty when all of it is. A chain whose first name is gone while its end is in
 * use has been done: going on would give the last node what the others have got.
 * @throws {@link NotFoundError} when nobody knows any of the names, {@link PreconditionError} for a map of which only a
 * chain has been done.
 */
export function whatIsLeft(names: NameMap, look: RenameLook): NameMap {
  const known = new RenameWorld(look).knownNames();
  const all = [...names.keys(), ...names.values()];
  if (!all.some((name) => known.has(name) || look.nodes.has(name))) throw unknown(names);
  const left = new Map<string, string>();
  if (isNotedDone(look.cluster, names)) return left;
  const done: Chain[] = [];
  for (const chain of chainsOf(names)) {
    const isDone = isChainDone(chain, known);
    if (isDone && chain.names.some((name) => known.has(name))) done.push(chain);
    if (isDone) continue;
    for (const name of chain.names) left.set(name, names.get(name) ?? '');
  }
  const [chain] = done;
  if (chain === undefined || left.size === 0) return left;
  throw new PreconditionError(
    `the chain ${[...chain.names, chain.end].join(', ')} looks done already, and other names of the map do not`,
    { hint: 'take the chain out of the map' },
  );
}

function isChainDone({ names, end, isCycle }: Chain, known: ReadonlySet<string>): boolean {
  const [first = ''] = names;
  if (names.every((name) => !known.has(name))) return true;
  return !isCycle && names.length > 1 && !known.has(first) && known.has(end);
}

/** One item for each name that has nothing left to rename. */
export function doneItems(names: NameMap, left: NameMap, look: RenameLook): readonly PlanItem[] {
  const { nodes } = look;
  const known = new RenameWorld(look).knownNames();
  const isNoted = isNotedDone(look.cluster, names);
  return [...names].flatMap(([from, to]): PlanItem[] => {
    if (left.has(from)) return [];
    const isAnywhere = [from, to].some((name) => known.has(name) || nodes.has(name));
    const reason = isNoted
      ? 'all of these names were given under this lock already; to do it once more, unlock and lock again'
      : known.has(from)
        ? `it is part of a chain that was done already: "${to}" has what it had`
        : isAnywhere
          ? `nothing of IPAM names it, so there is nothing to give to "${to}"`
          : `neither it nor "${to}" is known here`;
    return [
      {
        action: 'rename-block',
        subject: { kind: 'Node', name: from, node: from },
        precondition: '',
        reason,
        kept: isAnywhere ? 'already' : 'harmless',
      },
    ];
  });
}

function unknown(names: NameMap): NotFoundError {
  const [first = ['', '']] = names;
  const what =
    names.size === 1
      ? `neither "${first[0]}" nor "${first[1]}"`
      : `none of the ${names.size} nodes of the map, by its old name or its new one,`;
  return new NotFoundError(
    `${what} is known here: no block, affinity, handle or node has the name`,
    {
      hint: 'ipamctl ipam show --by node lists the nodes that hold addresses',
    },
  );
}
