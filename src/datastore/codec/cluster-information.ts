import type {
  ClusterInformationRow,
  ControllersConfigurationRow,
} from '../../ipam/model/cluster-information.ts';
import type { JsonObject } from '../../ipam/model/resource.ts';
import { Fields } from './fields.ts';
import { type ObjectHead, rowHead } from './object-head.ts';

/** Reads a ClusterInformation; every field may be absent. @throws {@link Misreading} */
export function decodeClusterInformation(
  head: ObjectHead,
  object: JsonObject,
): ClusterInformationRow {
  const spec = Fields.spec(object);
  return {
    ...rowHead(head),
    kind: 'ClusterInformation',
    clusterGUID: spec.text('clusterGUID'),
    clusterType: spec.text('clusterType'),
    calicoVersion: spec.text('calicoVersion'),
    datastoreReady: spec.boolean('datastoreReady'),
  };
}

/**
 * Reads a KubeControllersConfiguration. A load-balancer section without `assignIPs` gives the empty text, by which Calico
 * manages no Service; its schema normally fills the field in.
 * @throws {@link Misreading}
 */
export function decodeControllersConfiguration(
  head: ObjectHead,
  object: JsonObject,
): ControllersConfigurationRow {
  const section = Fields.spec(object).child('controllers')?.child('loadBalancer');
  const assignIPs = section && (section.text('assignIPs') ?? '');
  return { ...rowHead(head), kind: 'KubeControllersConfiguration', assignIPs };
}
