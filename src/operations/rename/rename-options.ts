import { UsageError } from '../../errors/usage-error.ts';
import type { NameMap } from '../../ipam/rename/legs.ts';
import type { UndoHistory } from '../undo/undo-log.ts';

/** How to rename nodes. */
export interface RenameOptions {
  readonly names: NameMap;
  readonly isMismatchAllowed: boolean;
  /** What the undo file of this very run holds already. */
  readonly history?: UndoHistory | undefined;
}

/** What the command line says of the names. */
export interface NameArguments {
  readonly old?: string | undefined;
  readonly new?: string | undefined;
  /** Old and new names of a file, in its order. */
  readonly pairs?: readonly (readonly [string, string])[] | undefined;
}

/**
 * The names that a command line asks for: two of them, or those of a file.
 * @throws {@link UsageError} for both or neither, a name without text, a name that would stay as it is, and one that two
 * nodes would get.
 */
export function nameMapFrom({ old, new: renamed, pairs }: NameArguments): NameMap {
  if (pairs !== undefined) {
    if (old !== undefined)
      throw new UsageError('either two names or --map, not both', {
        hint: 'put the two names into the file',
      });
    return checkedMap(pairs);
  }
  if (old === undefined || renamed === undefined)
    throw new UsageError('name the node as it is called and as it is to be called, or use --map');
  return checkedMap([[old, renamed]]);
}

function checkedMap(pairs: readonly (readonly [string, string])[]): NameMap {
  if (pairs.length === 0) throw new UsageError('the map holds no names');
  const map = new Map<string, string>();
  const sources = new Map<string, string>();
  for (const [from, to] of pairs) {
    if (from === '' || to === '') throw new UsageError('a name is empty');
    if (from === to) throw new UsageError(`"${from}" would keep its name`);
    if (map.has(from)) throw new UsageError(`"${from}" is renamed twice`);
    const other = sources.get(to);
    if (other !== undefined)
      throw new UsageError(`"${other}" and "${from}" would both be called "${to}"`);
    map.set(from, to);
    sources.set(to, from);
  }
  return map;
}
