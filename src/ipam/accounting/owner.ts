import { familyOf } from '../../net/address.ts';
import type { Allocation, Carrier, ClusterState } from '../state/cluster-state.ts';
import { type Judgement, type JudgementContext, judgeAllocation } from './liveness.ts';
import { hasLiveOwner, machineOf, matchOwner } from './ownership.ts';

/** Who an allocation belongs to, as far as it says, or as far as what carries the address says. */
export interface AllocationOwner {
  readonly kind: 'Pod' | 'Node' | 'Service' | 'VirtualMachine';
  readonly namespace: string | undefined;
  readonly name: string;
  readonly node: string | undefined;
  /** Whether it exists and carries or may carry the address; undefined when that cannot be known. */
  readonly alive: boolean | undefined;
}

type Named = Omit<AllocationOwner, 'alive'>;

/** The owner of an assigned allocation; undefined when neither it nor a carrier tells. */
export function ownerOfAllocation(
  state: ClusterState,
  allocation: Allocation,
  context: JudgementContext,
): AllocationOwner | undefined {
  if (allocation.cooling || allocation.kind === 'WindowsReserved') return undefined;
  const judgement = judgeAllocation(state, allocation, context);
  // While a machine moves, the side that took over may be named by the alternate owner alone.
  const named =
    judgement.why === 'alternate-owner'
      ? alternateOwner(state, allocation)
      : namedOwner(state, allocation);
  if (!named) return carrierAsOwner(state, allocation, judgement.carriers);
  return { ...named, alive: isAlive(state, allocation, judgement) };
}

function namedOwner(state: ClusterState, allocation: Allocation): Named | undefined {
  const { kind, namespace, node, nodeAttribute } = allocation;
  if (kind === 'Tunnel') {
    // Without the attribute the block's owner is a guess.
    return nodeAttribute === undefined
      ? undefined
      : { kind: 'Node', namespace: undefined, name: nodeAttribute, node: nodeAttribute };
  }
  if (kind === 'LoadBalancer') {
    const name = allocation.service;
    return name === undefined ? undefined : { kind: 'Service', namespace, name, node: undefined };
  }
  const machine = machineOf(state, allocation);
  if (machine) return { kind: 'VirtualMachine', ...machine, node };
  return allocation.pod === undefined
    ? undefined
    : podOwner(state, allocation, { namespace, name: allocation.pod });
}

function alternateOwner(state: ClusterState, allocation: Allocation): Named | undefined {
  const { pod: name, namespace } = allocation.alternate ?? {};
  return name === undefined ? undefined : podOwner(state, allocation, { namespace, name });
}

function podOwner(
  state: ClusterState,
  allocation: Allocation,
  { namespace, name }: { readonly namespace: string | undefined; readonly name: string },
): Named {
  const recorded = allocation.node;
  const running = state.pod(namespace ?? '', name)?.node;
  return { kind: 'Pod', namespace, name, node: allocation.nodeAttribute ?? running ?? recorded };
}

function isAlive(
  state: ClusterState,
  allocation: Allocation,
  judgement: Judgement,
): boolean | undefined {
  switch (judgement.standing) {
    case 'pending':
    case 'kept':
      return true;
    case 'unknown':
      return undefined;
    case 'leaked':
      return false;
    default:
      return judgement.carriers.some(
        (carrier) => matchOwner(state, allocation, carrier) === 'named',
      )
        ? true
        : mayComeToShow(state, allocation);
  }
}

/** Whether the owner, which does not show the address that something else shows, may still come to show it. */
function mayComeToShow(state: ClusterState, allocation: Allocation): boolean {
  const pod =
    allocation.pod === undefined
      ? undefined
      : state.pod(allocation.namespace ?? '', allocation.pod);
  const family = familyOf(allocation.address);
  if (pod?.addresses.some((address) => familyOf(address) === family)) return false;
  return allocation.kind === 'Workload' && hasLiveOwner(state, allocation);
}

/** Where the allocation names nobody, what shows the address in the same way is who it belongs to. */
function carrierAsOwner(
  state: ClusterState,
  allocation: Allocation,
  carriers: readonly Carrier[],
): AllocationOwner | undefined {
  const carrier = carriers.find((one) => matchOwner(state, allocation, one) !== 'other');
  if (!carrier) return undefined;
  const { namespace, name, node } = carrier;
  const kind = carrier.kind === 'WorkloadEndpoint' ? 'Pod' : carrier.kind;
  return { kind, namespace, name, node, alive: true };
}
