import type { Allocation, Carrier, ClusterState } from '../ipam/state/cluster-state.ts';
import { matchOwner } from '../ipam/accounting/ownership.ts';
import type { ResourceKind } from '../ipam/model/resource.ts';
import type { Address } from '../net/address.ts';

/** Kinds that show who carries addresses. */
export const CARRIER_KINDS: readonly ResourceKind[] = ['Node', 'Pod', 'Service'];

/** Those of the kinds that were not read. */
export function notLoaded(
  state: ClusterState,
  kinds: readonly ResourceKind[],
): readonly ResourceKind[] {
  return kinds.filter((kind) => !state.isLoaded(kind));
}

/** Carrier kinds that were not read: what they would show is not judged. */
export function missingCarriers(state: ClusterState): readonly ResourceKind[] {
  return notLoaded(state, CARRIER_KINDS);
}

/** Allocations of an address that something may still hold: those that are not cooling. */
export function assignedAt(state: ClusterState, address: Address): readonly Allocation[] {
  const allocations = state.allocationsAt(address);
  // Few addresses cool down, and rules ask for all that are in use.
  return allocations.some(({ cooling }) => cooling)
    ? allocations.filter(({ cooling }) => !cooling)
    : allocations;
}

/**
 * Carriers that may be blamed: not those of other controllers, nor what is going and may have given its address back
 * already (unless an allocation still names it), nor an endpoint of etcd while it is not known whether its pod exists.
 */
export function accountableCarriers(state: ClusterState, address: Address): readonly Carrier[] {
  const carriers = state.carriersOf(address);
  if (
    carriers.every(
      (carrier) => carrier.managed && !carrier.terminating && carrier.kind !== 'WorkloadEndpoint',
    )
  ) {
    return carriers;
  }
  const allocations = assignedAt(state, address);
  const isNamed = (carrier: Carrier) =>
    allocations.some((allocation) => matchOwner(state, allocation, carrier) === 'named');
  return carriers.filter(
    (carrier) =>
      carrier.managed &&
      (carrier.kind !== 'WorkloadEndpoint' || state.isLoaded('Pod')) &&
      (!carrier.terminating || isNamed(carrier)),
  );
}
