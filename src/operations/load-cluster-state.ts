import type { ResourceKind } from '../ipam/model/resource.ts';
import type { Row } from '../ipam/model/row.ts';
import type { KeptTexts } from '../ipam/state/allocation-columns.ts';
import { ClusterStateBuilder } from '../ipam/state/builder.ts';
import type { ClusterState } from '../ipam/state/cluster-state.ts';
import type { OperationContext } from './context.ts';
import { readKinds } from './read-kinds.ts';

/** What to load. */
export interface LoadOptions {
  readonly kinds: readonly ResourceKind[];
  /** Texts to keep of allocations; all when absent. */
  readonly kept?: KeptTexts | undefined;
  /** Sees every row before the state takes it; may look, must not keep. */
  readonly onRow?: ((row: Row) => void) | undefined;
  /** Rows for which the whole object comes along for {@link onRow}. */
  readonly keep?: ((row: Row) => boolean) | undefined;
}

/**
 * Reads the kinds, claims before evidence: a pod exists before its address, so an allocation that was seen belongs to an
 * owner that the later list shows.
 * @throws {@link AccessDeniedError} naming every kind that may not be listed, not the first one alone.
 */
export async function loadClusterState(
  context: OperationContext,
  options: LoadOptions,
): Promise<ClusterState> {
  const { kinds, onRow, keep, kept } = options;
  const builder = new ClusterStateBuilder(context.datastore.keys, kept);
  const take = (_kind: ResourceKind, rows: readonly Row[]): void => {
    for (const row of rows) {
      onRow?.(row);
      builder.add(row);
    }
  };
  await readKinds(context, {
    kinds,
    list: { keep },
    sink: {
      take,
      loaded: (kind) => {
        builder.markLoaded(kind);
      },
      notInstalled: (kind) => {
        builder.markNotInstalled(kind);
      },
      drop: (kind) => {
        builder.drop(kind);
      },
    },
  });
  return builder.build();
}
