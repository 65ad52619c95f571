import { DataError } from '../../errors/data-error.ts';
import type { AffinityRow } from '../../ipam/model/affinity.ts';
import type { BlockRow } from '../../ipam/model/block.ts';
import type { ClusterInformationRow } from '../../ipam/model/cluster-information.ts';
import type { HandleRow } from '../../ipam/model/handle.ts';
import type { ResourceKind } from '../../ipam/model/resource.ts';
import { isReadable, type ReadableRow, type Row } from '../../ipam/model/row.ts';
import { namesInBlock } from '../../ipam/rename/rename-block.ts';
import { nodeOfHandle } from '../../ipam/rename/rename-handle-id.ts';
import type { ClusterState } from '../../ipam/state/cluster-state.ts';
import type { OperationContext } from '../context.ts';
import { assertBlocksLoaded } from '../guards.ts';
import { loadClusterState } from '../load-cluster-state.ts';
import { KeptRows } from '../row-access.ts';

/** Rows of IPAM that name a node that is renamed, before or after. */
export interface NamedRows {
  readonly blocks: readonly BlockRow[];
  readonly affinities: readonly AffinityRow[];
  readonly handles: readonly HandleRow[];
}

/** What a renaming rests on, as it was at one moment. */
export interface RenameLook extends NamedRows {
  readonly state: ClusterState;
  /** Whole row of the lock and the mark; undefined when there is none. */
  readonly cluster: ClusterInformationRow | undefined;
  /** Those of the names that a node has, be it one that cannot be read. */
  readonly nodes: ReadonlySet<string>;
  /** Rows in soft deletion that name one. */
  readonly softDeleted: number;
  readonly kept: KeptRows;
}

type ClaimRow = BlockRow | AffinityRow | HandleRow;

const CLAIMS: readonly ResourceKind[] = ['IPAMBlock', 'BlockAffinity', 'IPAMHandle'];

/**
 * Reads the lock, the nodes, and all rows that name one of these nodes.
 * @throws {@link DataError} when the source does not hold all kinds that name nodes.
 */
export async function lookForRename(
  context: OperationContext,
  names: ReadonlySet<string>,
): Promise<RenameLook> {
  const isMeant = meaning(names);
  const isWanted = (row: Row): boolean =>
    row.kind === 'ClusterInformation' || (isReadable(row) && isMeant(row));
  const found = new Map<string, ReadableRow>();
  const nodes = new Set<string>();
  const kept = new KeptRows();
  const state = await loadClusterState(context, {
    kinds: ['ClusterInformation', ...CLAIMS, 'Node'],
    keep: isWanted,
    onRow: (row) => {
      if (row.kind === 'Node' && names.has(row.key.name)) nodes.add(row.key.name);
      if (!isWanted(row) || !isReadable(row)) return;
      found.set(`${row.kind} ${row.key.name}`, row);
      kept.set(row);
    },
  });
  assertClaimsLoaded(state);
  const rows = [...found.values()].sort((a, b) => (a.key.name < b.key.name ? -1 : 1));
  const claims = rows.filter((row): row is ClaimRow => CLAIMS.includes(row.kind));
  const live = claims.filter(({ deleted }) => !deleted);
  return {
    state,
    cluster: rows.find((row) => row.kind === 'ClusterInformation'),
    nodes,
    blocks: live.filter((row) => row.kind === 'IPAMBlock'),
    affinities: live.filter((row) => row.kind === 'BlockAffinity'),
    handles: live.filter((row) => row.kind === 'IPAMHandle'),
    softDeleted: claims.length - live.length,
    kept,
  };
}

/** Ids that differ in case share a row in Kubernetes, so handles are found whatever the case. */
function meaning(names: ReadonlySet<string>): (row: ReadableRow) => boolean {
  const lowered = new Set([...names].map((name) => name.toLowerCase()));
  return (row) => {
    switch (row.kind) {
      case 'IPAMBlock':
        return [...namesInBlock(row)].some((name) => names.has(name));
      case 'BlockAffinity':
        return names.has(row.host);
      case 'IPAMHandle':
        return lowered.has(nodeOfHandle(row.id)?.toLowerCase() ?? '');
      default:
        return false;
    }
  };
}

function assertClaimsLoaded(state: ClusterState): void {
  assertBlocksLoaded(state);
  const absent = CLAIMS.filter((kind) => !state.isLoaded(kind));
  if (absent.length === 0) return;
  throw new DataError(
    `this source holds no ${absent.join(' and no ')} rows, and they name nodes, too`,
    { hint: 'take a dump that holds all kinds of IPAM' },
  );
}
