import type { ClusterState } from '../ipam/state/cluster-state.ts';
import type { OperationContext } from './context.ts';
import type { DocumentSource } from './outcome.ts';

/** `source` of a document that was made from this state. */
export function documentSource(context: OperationContext, state: ClusterState): DocumentSource {
  const source = context.datastore.describe();
  const clusterGUID = state.clusterInformation?.clusterGUID;
  return clusterGUID === undefined ? source : { ...source, clusterGUID };
}
