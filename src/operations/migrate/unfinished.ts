import type { ClusterInformationRow } from '../../ipam/model/cluster-information.ts';
import { IMPORT_MARK, readMark, RENAME_MARK } from '../../ipam/marks.ts';
import { readTexts } from '../../ipam/model/object-metadata.ts';
import type { PoolRow } from '../../ipam/model/pool.ts';
import type { JsonObject } from '../../ipam/model/resource.ts';
import { isReadable } from '../../ipam/model/row.ts';
import { isUnfinished, type SplitFamily, splitFamilies } from '../../ipam/split/family.ts';
import { commandToGoOn } from '../import/import-mark.ts';
import type { OperationContext } from '../context.ts';
import { loadClusterState } from '../load-cluster-state.ts';

/** Something that a command has begun, as a mark in the cluster tells. */
export interface MarkedWork {
  readonly what: 'split' | 'import' | 'rename';
  readonly finished: boolean;
  /** Name of the pool of a split. */
  readonly pool?: string | undefined;
  /** What the mark says, in words. */
  readonly says: string;
  /** What to do about it; absent for finished work. */
  readonly remedy?: string | undefined;
}

/** Everything that marks tell of: splits by the pools, the rest by the row of the lock. */
export async function markedWork(
  context: OperationContext,
  row: ClusterInformationRow | undefined,
): Promise<readonly MarkedWork[]> {
  const pools = await listPools(context);
  return [...splitFamilies(pools).map(splitWork), ...clusterWork(row?.object)];
}

/** Whole rows of pools; none where the source does not know the kind. */
async function listPools(context: OperationContext): Promise<readonly PoolRow[]> {
  const pools = new Map<string, PoolRow>();
  await loadClusterState(context, {
    kinds: ['IPPool'],
    keep: () => true,
    onRow: (row) => {
      if (row.kind === 'IPPool' && isReadable(row)) pools.set(row.key.name, row);
    },
  });
  return [...pools.values()];
}

function splitWork(family: SplitFamily): MarkedWork {
  const { origin, number, parts } = family;
  const finished = !isUnfinished(family);
  const says = `pool ${origin.name} into ${number} parts, of which ${parts.size} are there${finished ? '' : ' beside the pool itself'}`;
  const again = `ipamctl ipam split ${number} --name ${origin.name}`;
  return {
    what: 'split',
    finished,
    pool: origin.name,
    says,
    remedy: finished ? undefined : `go on with ${again}, or back with ${again} --undo`,
  };
}

function clusterWork(object: JsonObject | undefined): readonly MarkedWork[] {
  const texts = readTexts(object, 'annotations');
  const isMarked = (name: string): boolean => texts[name] !== undefined;
  const work: MarkedWork[] = [];
  if (isMarked(IMPORT_MARK)) {
    const says = saysOf(readMark(object, IMPORT_MARK) ?? {});
    const remedy = `go on with ${commandToGoOn(object)}`;
    work.push({ what: 'import', finished: false, says, remedy });
  }
  if (isMarked(RENAME_MARK)) work.push(renameWork(readMark(object, RENAME_MARK) ?? {}));
  return work;
}

/** The map itself is too long for a mark: what it was, the user has to know. */
function renameWork(mark: JsonObject): MarkedWork {
  const { map, leg, legs, from, to, at } = mark;
  const isPair = typeof from === 'string' && typeof to === 'string';
  const what = isPair ? `${from} to ${to}` : `map ${typeof map === 'string' ? map : 'unknown'}`;
  const where = typeof leg === 'number' && typeof legs === 'number' && legs > 1;
  const says = [
    what,
    ...(where ? [`leg ${leg} of ${legs}`] : []),
    ...(typeof at === 'string' ? [`begun ${at}`] : []),
  ].join(', ');
  const command = 'ipamctl datastore migrate rename-node';
  const remedy = isPair ? `${command} ${from} ${to}` : `${command} --map and the same map`;
  return { what: 'rename', finished: false, says, remedy: `go on with ${remedy}` };
}

function saysOf(mark: JsonObject): string {
  const said = Object.entries(mark).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [`${name} ${value}`] : [],
  );
  return said.length === 0 ? 'it was begun' : said.join(', ');
}
