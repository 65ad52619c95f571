import { carrierFact } from '../../check/facts.ts';
import { carrierText } from '../../check/wording.ts';
import type { Carrier, ClusterState } from '../../ipam/state/cluster-state.ts';
import { type Address, formatAddress } from '../../net/address.ts';
import { type Cidr, containsAddress } from '../../net/cidr.ts';
import { type RepairKept, refusal } from './repair.ts';

/** Workloads by the node on which they run. */
type ByNode = ReadonlyMap<
  string,
  readonly { readonly address: Address; readonly carrier: Carrier }[]
>;

const known = new WeakMap<ClusterState, ByNode>();

/**
 * Why a row of a host for a range has to stay: a live workload of that host has an address in it, and without the row its
 * route might go. Unknown evidence counts as a workload.
 */
export function keptByWorkload(
  state: ClusterState,
  host: string,
  range: Cidr,
): RepairKept | undefined {
  if (!state.isLoaded('Pod'))
    return refusal('pods were not read, and one of them may have an address in the range');
  const live = workloadsOf(state)
    .get(host)
    ?.find(({ address }) => containsAddress(range, address));
  if (live === undefined) return undefined;
  return refusal(
    `${carrierText(carrierFact(live.carrier))} has ${formatAddress(live.address)} of its range`,
  );
}

function workloadsOf(state: ClusterState): ByNode {
  const found = known.get(state);
  if (found) return found;
  const byNode = new Map<string, { address: Address; carrier: Carrier }[]>();
  for (const address of state.carriedAddresses()) {
    for (const carrier of state.carriersOf(address)) {
      if (carrier.use !== 'Workload' || carrier.node === undefined) continue;
      const own = byNode.get(carrier.node);
      if (own) own.push({ address, carrier });
      else byNode.set(carrier.node, [{ address, carrier }]);
    }
  }
  known.set(state, byNode);
  return byNode;
}
