import type { Allocation, Carrier, ClusterState } from '../state/cluster-state.ts';

/**
 * How a carrier relates to an allocation of its address: `named` when the allocation names it, `unnamed` when the
 * allocation names nobody and could be for it, `other` when it is for something else.
 */
export type OwnerMatch = 'named' | 'unnamed' | 'other';

/** The machine of a KubeVirt allocation, by its attribute or its handle; undefined for any other allocation. */
export function machineOf(
  state: ClusterState,
  allocation: Allocation,
): { readonly namespace: string | undefined; readonly name: string } | undefined {
  const { machine, namespace, handleId } = allocation;
  if (machine !== undefined) return { namespace, name: machine };
  return handleId === undefined ? undefined : state.machineOfHandle(handleId);
}

/** Whether two texts name one node; a Calico node of etcd may have another name in Kubernetes. */
export function isSameNode(state: ClusterState, a: string, b: string): boolean {
  return a === b || state.node(a)?.kubernetesName === b || state.node(b)?.kubernetesName === a;
}

/** Tells whether something that carries an address is what the allocation of that address was made for. */
export function matchOwner(
  state: ClusterState,
  allocation: Allocation,
  carrier: Carrier,
): OwnerMatch {
  switch (allocation.kind) {
    case 'Workload':
      return matchWorkload(state, allocation, carrier);
    case 'Tunnel':
      return matchTunnel(state, allocation, carrier);
    case 'LoadBalancer':
      return matchService(allocation, carrier);
    default:
      return 'unnamed';
  }
}

/**
 * Whether the pod or Service or node for which the allocation was made exists and may hold it, even if it shows no
 * address yet. A pod that is finished, shares the network of its node or runs on another node than recorded does not.
 */
export function hasLiveOwner(state: ClusterState, allocation: Allocation): boolean {
  const { kind, namespace = '', service, node } = allocation;
  switch (kind) {
    case 'Workload':
      return hasLiveWorkload(state, allocation);
    case 'Tunnel':
      return node !== undefined && state.node(node) !== undefined;
    case 'LoadBalancer':
      return service !== undefined && state.service(namespace, service) !== undefined;
    default:
      return false;
  }
}

function hasLiveWorkload(state: ClusterState, allocation: Allocation): boolean {
  const { pod, namespace, nodeAttribute, alternate } = allocation;
  if (pod !== undefined && mayHold(state, { namespace, pod, node: nodeAttribute })) return true;
  if (alternate?.pod !== undefined && mayHold(state, { ...alternate, pod: alternate.pod }))
    return true;
  const machine = machineOf(state, allocation);
  return machine !== undefined && state.hasMachine(machine.namespace ?? '', machine.name);
}

function mayHold(
  state: ClusterState,
  owner: {
    readonly namespace?: string | undefined;
    readonly pod: string;
    readonly node?: string | undefined;
  },
): boolean {
  const pod = state.pod(owner.namespace ?? '', owner.pod);
  if (pod === undefined || pod.finished || pod.hostNetwork) return false;
  return (
    pod.node === undefined || owner.node === undefined || isSameNode(state, pod.node, owner.node)
  );
}

function matchWorkload(state: ClusterState, allocation: Allocation, carrier: Carrier): OwnerMatch {
  if (carrier.use !== 'Workload') return 'other';
  const { pod, namespace, alternate } = allocation;
  if (pod !== undefined && isNamed(carrier, namespace, pod)) return 'named';
  if (alternate?.pod !== undefined && isNamed(carrier, alternate.namespace, alternate.pod))
    return 'named';
  const machine = machineOf(state, allocation);
  if (machine === undefined) return pod === undefined ? 'unnamed' : 'other';
  if (isLauncher(carrier, machine)) return 'named';
  return pod === undefined && isIn(carrier, machine.namespace) ? 'unnamed' : 'other';
}

function matchTunnel(state: ClusterState, allocation: Allocation, carrier: Carrier): OwnerMatch {
  if (carrier.use !== 'Tunnel') return 'other';
  const { node, nodeAttribute } = allocation;
  if (node !== undefined && isSameNode(state, node, carrier.name)) return 'named';
  // Old tunnel addresses record nobody; then the owner of the block is a guess that proves nothing.
  return nodeAttribute === undefined ? 'unnamed' : 'other';
}

function matchService(allocation: Allocation, carrier: Carrier): OwnerMatch {
  if (carrier.use !== 'LoadBalancer') return 'other';
  if (allocation.service === undefined) return 'unnamed';
  return isNamed(carrier, allocation.namespace, allocation.service) ? 'named' : 'other';
}

/**
 * Whether the pod is one that runs the machine: while a machine moves there are two, and the allocation names one of
 * them late or not at all.
 * Source: KubeVirt names the pods of a machine `virt-launcher-<machine>-<suffix>`.
 */
function isLauncher(
  carrier: Carrier,
  machine: { readonly namespace: string | undefined; readonly name: string },
): boolean {
  return (
    isIn(carrier, machine.namespace) && carrier.name.startsWith(`virt-launcher-${machine.name}-`)
  );
}

function isNamed(carrier: Carrier, namespace: string | undefined, name: string): boolean {
  return carrier.name === name && isIn(carrier, namespace);
}

function isIn(carrier: Carrier, namespace: string | undefined): boolean {
  return namespace === undefined || carrier.namespace === namespace;
}
