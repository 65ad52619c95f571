import type { Carrier } from '../state/cluster-state.ts';

/**
 * Label of what holds an address, as calicoctl's report writes it: `Node(a)`, `Workload(ns/endpoint)`, `Service(ns/s)`.
 * Source: Calico libcalico-go lib/ipam/accounting, printed referrers; endpoint names of the Kubernetes datastore.
 */
export function carrierLabel(carrier: Carrier): string {
  if (carrier.kind === 'Node') return `Node(${carrier.name})`;
  if (carrier.kind === 'Service') return `Service(${carrier.namespace}/${carrier.name})`;
  const name =
    carrier.kind === 'Pod' ? endpointName(carrier.node ?? '', carrier.name) : carrier.name;
  return `Workload(${carrier.namespace}/${name})`;
}

/** Name of the workload endpoint that stands for a pod; a dash inside a part is doubled. */
export function endpointName(node: string, pod: string): string {
  return [node, 'k8s', pod, 'eth0'].map((part) => part.replaceAll('-', '--')).join('-');
}
