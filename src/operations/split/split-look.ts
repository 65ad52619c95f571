import { DataError } from '../../errors/data-error.ts';
import type { ClusterInformationRow } from '../../ipam/model/cluster-information.ts';
import type { PoolRow } from '../../ipam/model/pool.ts';
import { isReadable } from '../../ipam/model/row.ts';
import type { ClusterState } from '../../ipam/state/cluster-state.ts';
import type { OperationContext } from '../context.ts';
import { loadClusterState } from '../load-cluster-state.ts';
import { KeptRows } from '../row-access.ts';

/** What a split rests on, as it was at one moment. */
export interface SplitLook {
  readonly state: ClusterState;
  /** Whole rows of pools, by name. */
  readonly pools: readonly PoolRow[];
  /** Names of all pools, those that cannot be read too. */
  readonly names: ReadonlySet<string>;
  readonly kept: KeptRows;
  /** Whole row with the marks of what is not finished. */
  readonly cluster: ClusterInformationRow | undefined;
}

/**
 * Reads pools, blocks and the lock.
 * @throws {@link DataError} when the source does not hold the pools.
 */
export async function lookForSplit(context: OperationContext): Promise<SplitLook> {
  const pools = new Map<string, PoolRow>();
  const names = new Set<string>();
  const kept = new KeptRows();
  let cluster: ClusterInformationRow | undefined;
  const state = await loadClusterState(context, {
    kinds: ['ClusterInformation', 'IPPool', 'IPAMBlock'],
    keep: ({ kind }) => kind !== 'IPAMBlock',
    onRow: (row) => {
      if (row.kind === 'ClusterInformation' && isReadable(row)) cluster = row;
      if (row.kind !== 'IPPool') return;
      names.add(row.key.name);
      if (!isReadable(row)) return;
      pools.set(row.key.name, row);
      kept.set(row);
    },
  });
  if (!state.isLoaded('IPPool')) {
    throw new DataError('this source holds no pools, so none can be split', {
      hint: 'take a dump that holds IPPool objects too',
    });
  }
  const sorted = [...pools.values()].sort((a, b) => (a.key.name < b.key.name ? -1 : 1));
  return { state, pools: sorted, names, kept, cluster };
}
