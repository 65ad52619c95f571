import type { ClusterState } from '../../ipam/state/cluster-state.ts';
import { assertSameCluster } from '../guards.ts';
import { IMPORT_COMMAND } from '../import/import-options.ts';
import type { UndoHistory } from '../undo/undo-log.ts';

/** @throws {@link PreconditionError} when the undo file is of another cluster. */
export function assertIdentity(
  { recorded, name }: { readonly recorded: UndoHistory; readonly name: string },
  state: ClusterState,
): void {
  assertSameCluster(state, identityIn(recorded, state), `undo file ${name}`);
}

/**
 * Whether the cluster says as little of itself as before an import that gave it its first identity: nothing of it has
 * lasted, or all was taken back. Then there is nothing to write, and what is written needs an identity.
 */
export function isBeforeImport({ header, writes }: UndoHistory, state: ClusterState): boolean {
  const isMade = writes.some(
    ({ before, after }) => before === undefined && after?.kind === 'ClusterInformation',
  );
  return header.command === IMPORT_COMMAND && isMade && state.clusterInformation === undefined;
}

/**
 * The cluster that an undo file is of. An import gives the cluster another identity, and may make it in the first place, so
 * the one that it had before is it, too.
 */
function identityIn({ header, writes }: UndoHistory, state: ClusterState): string {
  const { clusterGUID = '' } = state.clusterInformation ?? {};
  const isKnown =
    header.command === IMPORT_COMMAND &&
    writes.some(
      ({ before }) => before?.kind === 'ClusterInformation' && before.clusterGUID === clusterGUID,
    );
  return isKnown ? clusterGUID : header.clusterGUID;
}
