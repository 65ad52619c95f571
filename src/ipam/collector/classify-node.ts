import { judgeAllocation } from '../accounting/liveness.ts';
import type { Allocation, ClusterState } from '../state/cluster-state.ts';
import type { ScanContext } from './collector-scan.ts';

/** A leaked allocation, and how long it has to be seen before it may be released. */
export interface Suspect {
  readonly allocation: Allocation;
  /** Milliseconds; undefined when its node is gone and one more look is enough. */
  readonly graceMs: number | undefined;
}

/** What becomes of the allocations of one node. */
export interface NodeVerdict {
  readonly suspects: readonly Suspect[];
  /** The node does not exist, and nothing alive or unknown is left on it. */
  readonly isAbandoned: boolean;
}

/** A node by name, with the allocations that name it. */
export interface NodeAllocations {
  readonly name: string;
  readonly allocations: readonly Allocation[];
}

/**
 * What an allocation is to the collector: `ignored` ones say nothing, `unknown` sources and `valid` ones keep a node from
 * being cleaned up, tunnel addresses stand and fall with their node.
 */
type Class = 'ignored' | 'unknown' | 'tunnel' | 'valid' | 'leaked';

/** Machines are restarted and moved; a shorter grace period would take their address away meanwhile. */
const MACHINE_GRACE_MS = 300_000;

/**
 * Classifies the allocations of a node. Stricter than the original: whatever might be alive for any other reason counts as
 * valid, too.
 * Source: Calico kube-controllers, node controller, IPAM garbage collection.
 */
export function classifyNode(
  state: ClusterState,
  { name, allocations }: NodeAllocations,
  context: ScanContext,
): NodeVerdict {
  const standing = nodeStanding(state, name);
  if (standing === 'foreign') return { suspects: [], isAbandoned: false };
  const classes = allocations.map(
    (allocation) => [allocation, classOf(state, allocation, context)] as const,
  );
  const isGone = standing === 'absent';
  const leaked = classes.flatMap(([allocation, kind]) => (kind === 'leaked' ? [allocation] : []));
  const isAbandoned = isGone && classes.every(([, kind]) => kind !== 'valid' && kind !== 'unknown');
  const tunnels = classes.flatMap(([allocation, kind]) =>
    kind === 'tunnel' && isAbandoned && isLeaked(state, allocation, context) ? [allocation] : [],
  );
  return {
    suspects: [...leaked, ...tunnels].map((allocation) => ({
      allocation,
      graceMs: isGone ? undefined : graceOf(allocation, context),
    })),
    isAbandoned,
  };
}

/** Whether the node exists; `foreign` is one that Kubernetes does not know, or that cannot be read. */
function nodeStanding(state: ClusterState, name: string): 'present' | 'absent' | 'foreign' {
  const node = state.node(name);
  if (node) return node.kubernetesName === undefined ? 'foreign' : 'present';
  return state.mayBeUnreadable('Node', { name }) ? 'foreign' : 'absent';
}

function classOf(state: ClusterState, allocation: Allocation, context: ScanContext): Class {
  if (allocation.kind === 'WindowsReserved' || allocation.handleId === undefined) return 'ignored';
  if (allocation.kind === 'Tunnel') return 'tunnel';
  if (allocation.pod === undefined || allocation.namespace === undefined) return 'unknown';
  if (!isLeaked(state, allocation, context)) return 'valid';
  return isGoneForCollector(state, allocation) ? 'leaked' : 'valid';
}

/** Nothing alive shows it, and its owner is known to be gone. Youth and its handle are judged when it is released. */
function isLeaked(
  state: ClusterState,
  allocation: Allocation,
  { now, minAgeMs }: ScanContext,
): boolean {
  const { standing, carriers, keptBecause } = judgeAllocation(state, allocation, { now, minAgeMs });
  if (standing !== 'leaked' || carriers.length > 0) return false;
  return (
    keptBecause === undefined || keptBecause === 'young' || keptBecause === 'shares-live-handle'
  );
}

/** What the collector lets pass although `ipam check` calls it leaked. */
function isGoneForCollector(state: ClusterState, allocation: Allocation): boolean {
  const { machine, namespace = '', pod: name = '' } = allocation;
  if (machine !== undefined) {
    // Where there are no machines, a recorded one proves nothing.
    return machine !== '' && namespace !== '' && state.isInstalled('VirtualMachine');
  }
  const pod = state.pod(namespace, name);
  return (
    pod === undefined || pod.addresses.length > 0 || isElsewhere(pod.node, allocation.nodeAttribute)
  );
}

function isElsewhere(podNode: string | undefined, node: string | undefined): boolean {
  return podNode !== undefined && node !== undefined && podNode !== node;
}

function graceOf({ machine }: Allocation, { leakGraceMs }: ScanContext): number {
  if (machine === undefined || leakGraceMs === 0) return leakGraceMs;
  return Math.max(leakGraceMs, MACHINE_GRACE_MS);
}
