import { familyOf } from '../../net/address.ts';
import { networksOfHandle } from '../machine-handle.ts';
import type { ResourceKind } from '../model/resource.ts';
import type { Allocation, ClusterState, Pod } from '../state/cluster-state.ts';

/**
 * How an allocation stands: `carried` by something alive of its own use; `pending` because its owner exists and may
 * show it in a moment; `kept` on purpose; `unknown` for want of evidence; `leaked` when nothing alive of its use has it.
 */
export type Standing = 'carried' | 'pending' | 'kept' | 'unknown' | 'leaked';

/** Why an allocation stands as it does. */
export type StandingReason =
  | 'carried'
  | 'cooling'
  | 'windows-reserved'
  | 'unknown-type'
  | 'kind-not-loaded'
  | 'owner-unreadable'
  | 'machine-exists'
  | 'alternate-owner'
  | 'pod-starting'
  | 'family-not-shown'
  | 'service-pending'
  | 'pod-absent'
  | 'pod-finished'
  | 'pod-on-host-network'
  | 'pod-not-scheduled'
  | 'pod-elsewhere'
  | 'pod-on-another-address'
  | 'machine-absent'
  | 'node-absent'
  | 'node-without-address'
  | 'service-absent'
  | 'service-on-another-address'
  | 'service-unmanaged'
  | 'no-owner-data';

/** How an allocation stands, and for want of what it may be unknown. */
export interface Stand {
  readonly standing: Standing;
  readonly why: StandingReason;
  readonly missing?: readonly ResourceKind[];
}

const leaked = (why: StandingReason): Stand => ({ standing: 'leaked', why });
const pending = (why: StandingReason): Stand => ({ standing: 'pending', why });
const kept = (why: StandingReason): Stand => ({ standing: 'kept', why });
const unreadable: Stand = { standing: 'unknown', why: 'owner-unreadable' };
const notLoaded = (missing: readonly ResourceKind[]): Stand => ({
  standing: 'unknown',
  why: 'kind-not-loaded',
  missing,
});

/** How an allocation stands, by what is alive now; whether it may be released is another question. */
export function standingOf(state: ClusterState, allocation: Allocation): Stand {
  if (allocation.cooling) return kept('cooling');
  const { kind } = allocation;
  if (kind === 'WindowsReserved') return kept('windows-reserved');
  if (kind === 'Unknown') return { standing: 'unknown', why: 'unknown-type' };
  const carriers = state.carriersOf(allocation.address);
  // A Service of another controller too: whoever serves it, the address is alive.
  if (carriers.some((carrier) => carrier.use === kind)) {
    return { standing: 'carried', why: 'carried' };
  }
  if (kind === 'Tunnel') return tunnelStanding(state, allocation);
  return kind === 'LoadBalancer'
    ? serviceStanding(state, allocation)
    : workloadStanding(state, allocation);
}

function workloadStanding(state: ClusterState, allocation: Allocation): Stand {
  if (!state.isLoaded('Pod')) return notLoaded(['Pod']);
  const machine = machineStanding(state, allocation);
  if (machine) return machine;
  const own = ownerStanding(state, allocation, allocation);
  if (own.standing !== 'leaked' || !allocation.alternate) return own;
  const alternate = ownerStanding(state, allocation, allocation.alternate);
  return alternate.standing === 'pending' ? kept('alternate-owner') : own;
}

/** A machine keeps its address while it exists, running or not; undefined when the allocation names none. */
function machineStanding(state: ClusterState, allocation: Allocation): Stand | undefined {
  const { machine, namespace, handleId } = allocation;
  const named = machine !== undefined && namespace !== undefined;
  if (!named && (handleId === undefined || networksOfHandle(handleId).length === 0))
    return undefined;
  if (named && state.hasMachine(namespace, machine)) return kept('machine-exists');
  if (handleId !== undefined && state.machineOfHandle(handleId)) return kept('machine-exists');
  // Kinds that are not installed say nothing of a machine that an allocation names: they may have been removed.
  const missing = MACHINE_KINDS.filter((kind) => !state.isLoaded(kind) || !state.isInstalled(kind));
  if (missing.length > 0) return notLoaded(missing);
  const key = named ? { namespace, name: machine } : undefined;
  const isHidden = MACHINE_KINDS.some((kind) => state.mayBeUnreadable(kind, key));
  return isHidden ? unreadable : leaked('machine-absent');
}

const MACHINE_KINDS = ['VirtualMachine', 'VirtualMachineInstance'] as const;

interface PodName {
  readonly pod?: string | undefined;
  readonly namespace?: string | undefined;
}

function ownerStanding(
  state: ClusterState,
  allocation: Allocation,
  { pod: name, namespace }: PodName,
): Stand {
  if (isUnreadablePod(state, allocation, { pod: name, namespace })) return unreadable;
  if (name === undefined || namespace === undefined) return leaked('no-owner-data');
  const pod = state.pod(namespace, name);
  if (!pod) return leaked(isNodeAbsent(state, allocation.node) ? 'node-absent' : 'pod-absent');
  return podStanding(state, allocation, pod);
}

/** How an allocation stands for a pod that exists and does not show the address. */
function podStanding(state: ClusterState, allocation: Allocation, pod: Pod): Stand {
  if (pod.finished) return leaked('pod-finished');
  if (pod.hostNetwork) return leaked('pod-on-host-network');
  if (pod.node === undefined) return leaked('pod-not-scheduled');
  if (isNodeAbsent(state, pod.node)) return leaked('node-absent');
  if (allocation.nodeAttribute !== undefined && allocation.nodeAttribute !== pod.node)
    return leaked('pod-elsewhere');
  if (pod.addresses.length === 0) return pending('pod-starting');
  return mayHideFamily(state, allocation, pod)
    ? pending('family-not-shown')
    : leaked('pod-on-another-address');
}

/** A pod that shows no address of this family, but carries one of the same handle, may have this one too. */
function mayHideFamily(state: ClusterState, allocation: Allocation, pod: Pod): boolean {
  const family = familyOf(allocation.address);
  if (
    allocation.handleId === undefined ||
    pod.addresses.some((address) => familyOf(address) === family)
  )
    return false;
  const shown = new Set(pod.addresses);
  return state.allocationsOf(allocation.handleId).some((sibling) => shown.has(sibling.address));
}

/** Whether a pod or endpoint whose addresses cannot be read may run on the node, or anywhere when that is not known. */
export function mayBeCarriedUnseen(state: ClusterState, node: string | undefined): boolean {
  return state.mayRunUnreadable('Pod', node) || state.mayRunUnreadable('WorkloadEndpoint', node);
}

/** A pod whose addresses cannot be read may carry what is recorded for it, or what is recorded for nobody on its node. */
function isUnreadablePod(state: ClusterState, allocation: Allocation, owner: PodName): boolean {
  const { pod: name, namespace } = owner;
  return name !== undefined && namespace !== undefined
    ? state.mayBeUnreadable('Pod', { namespace, name })
    : mayBeCarriedUnseen(state, allocation.node);
}

function isNodeAbsent(state: ClusterState, name: string | undefined): boolean {
  if (name === undefined || !state.isLoaded('Node') || state.node(name)) return false;
  return !state.mayBeUnreadable('Node', { name });
}

function tunnelStanding(state: ClusterState, allocation: Allocation): Stand {
  if (!state.isLoaded('Node')) return notLoaded(['Node']);
  const { node: name } = allocation;
  const suspects = name === undefined ? state.nodes : [state.node(name)];
  if (suspects.some((node) => node && node.unreadableTunnels.length > 0)) return unreadable;
  if (state.mayBeUnreadable('Node', name === undefined ? undefined : { name })) return unreadable;
  if (name === undefined || allocation.ownerIsEmpty) return leaked('no-owner-data');
  return leaked(state.node(name) ? 'node-without-address' : 'node-absent');
}

function serviceStanding(state: ClusterState, allocation: Allocation): Stand {
  if (!state.isLoaded('Service')) return notLoaded(['Service']);
  const { service: name, namespace } = allocation;
  const named = name !== undefined && namespace !== undefined;
  if (state.mayBeUnreadable('Service', named ? { namespace, name } : undefined)) return unreadable;
  if (!named) return leaked('no-owner-data');
  const service = state.service(namespace, name);
  if (!service) return leaked('service-absent');
  if (!service.managed) return leaked('service-unmanaged');
  return service.addresses.length === 0
    ? pending('service-pending')
    : leaked('service-on-another-address');
}
