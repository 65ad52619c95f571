import type { Datastore, WritableDatastore } from '../datastore/datastore.ts';
import { DataError } from '../errors/data-error.ts';
import { PreconditionError } from '../errors/precondition-error.ts';
import { UnsupportedError } from '../errors/unsupported-error.ts';
import type { ClusterState } from '../ipam/state/cluster-state.ts';

/** Major version of Calico whose rows ipamctl writes; 3.x of any minor version has the same rows. */
export const SUPPORTED_CALICO_MAJOR = 3;

/** Major version of a text such as `v3.33.0`; anything after it, a pre-release or build tag too, does not matter. */
const VERSION = /^v?(\d+)\.\d+/;

/** The datastore as one that can be written. @throws {@link UnsupportedError} when it cannot. */
export function writable(datastore: Datastore): WritableDatastore {
  if (datastore.capabilities.writable && 'update' in datastore)
    return datastore as WritableDatastore;
  throw new UnsupportedError('this source can be read only', {
    hint: 'use the live cluster, or a file or folder as --snapshot (not standard input); --dry-run shows the plan',
  });
}

/**
 * Refuses to write to a cluster whose rows may have another form. A cluster that does not say its version, or says none
 * that has the form of one (a build of a branch), is let through.
 * @throws {@link PreconditionError}
 */
export function assertVersion(state: ClusterState, isMismatchAllowed: boolean): void {
  assertVersionText(state.clusterInformation?.calicoVersion, isMismatchAllowed);
}

/** The same for the version that a row or a file says; undefined when it says none. @throws {@link PreconditionError} */
export function assertVersionText(version = '', isMismatchAllowed = false): void {
  const major = VERSION.exec(version)?.[1];
  if (isMismatchAllowed || major === undefined || Number(major) === SUPPORTED_CALICO_MAJOR) return;
  throw new PreconditionError(
    `version mismatch: the cluster runs Calico ${version}, ipamctl writes rows of Calico ${SUPPORTED_CALICO_MAJOR}.x`,
    {
      hint: 'use --allow-version-mismatch if you know that the rows have the same form',
      details: { version },
    },
  );
}

/**
 * Refuses what was recorded of another cluster; nothing overrides that.
 * @param what What was recorded, for the message: `report a.json`.
 * @throws {@link PreconditionError}
 */
export function assertSameCluster(state: ClusterState, recorded: string, what: string): void {
  const guid = state.clusterInformation?.clusterGUID ?? '';
  if (recorded === '') throw new PreconditionError(`${what} does not say of which cluster it is`);
  if (guid === '') {
    throw new PreconditionError(
      `${what} is of cluster ${recorded}, but this cluster does not say which it is`,
    );
  }
  if (recorded !== guid) {
    throw new PreconditionError(`${what} is of cluster ${recorded}, not of this one (${guid})`, {
      details: { recorded, cluster: guid },
    });
  }
}

/** @throws {@link DataError} when not even the blocks were read: there is nothing to change. */
export function assertBlocksLoaded(state: ClusterState): void {
  if (state.isLoaded('IPAMBlock')) return;
  throw new DataError('this source holds no blocks, so nothing can be planned', {
    hint: 'take a dump that holds the IPAM kinds too',
  });
}
