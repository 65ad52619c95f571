import { PoolIndex } from '../ipam/accounting/attribution.ts';
import { machineOf } from '../ipam/accounting/ownership.ts';
import type { PoolRow } from '../ipam/model/pool.ts';
import { type ResourceKind, keyText } from '../ipam/model/resource.ts';
import type { Allocation, Carrier, ClusterState } from '../ipam/state/cluster-state.ts';
import { type Address, parseAddress } from '../net/address.ts';
import { type Cidr, cidrOf } from '../net/cidr.ts';
import type { RowReference } from './rule.ts';

/**
 * Rows of every block that has or could have the address: those that contain it, and for each pool around it the block
 * of the pool's size, which may have been made since.
 */
export function blockReferences(state: ClusterState, address: Address): readonly RowReference[] {
  const present = state.blocksContaining(address).map(({ key }) => key);
  const possible = new PoolIndex<PoolRow>(state.pools)
    .poolsOf(address)
    .map((pool) => state.keys.block(cidrOf(address, pool.blockSize)));
  return [...present, ...possible].map((key) => ({ kind: 'IPAMBlock', key }));
}

/** Rows of the block of this prefix; the one that it would have when there is none. */
export function blockReferencesOf(state: ClusterState, cidr: Cidr): readonly RowReference[] {
  const present = state.blocksOf(cidr).map(({ key }) => key);
  const keys = present.length > 0 ? present : [state.keys.block(cidr)];
  return keys.map((key) => ({ kind: 'IPAMBlock', key }));
}

/** Rows of a handle; the one that it would have when there is none. */
export function handleReferences(state: ClusterState, handleId: string): readonly RowReference[] {
  const present = state.handlesOf(handleId).map(({ key }) => key);
  const keys = present.length > 0 ? present : [state.keys.handle(handleId)];
  return keys.map((key) => ({ kind: 'IPAMHandle', key }));
}

/** Rows of all that carries the address, and of all for which it is allocated. */
export function holderReferences(state: ClusterState, address: Address): readonly RowReference[] {
  const carriers = state.carriersOf(address).map((carrier) => carrierReference(state, carrier));
  return [
    ...carriers,
    ...state.allocationsAt(address).flatMap((allocation) => ownerReferences(state, allocation)),
  ];
}

/** Rows of what an allocation names; nodes are known anyway. Without a namespace it names nothing that can be read. */
function ownerReferences(state: ClusterState, allocation: Allocation): readonly RowReference[] {
  const { pod, namespace, alternate, service } = allocation;
  const machine = machineOf(state, allocation);
  const machineKinds = (['VirtualMachine', 'VirtualMachineInstance'] as const).filter((kind) =>
    state.isInstalled(kind),
  );
  return [
    ...namespaced('Pod', namespace, pod),
    ...namespaced('Pod', alternate?.namespace, alternate?.pod),
    ...namespaced('Service', namespace, service),
    ...machineKinds.flatMap((kind) => namespaced(kind, machine?.namespace, machine?.name)),
  ];
}

function namespaced(
  kind: ResourceKind,
  namespace: string | undefined,
  name: string | undefined,
): readonly RowReference[] {
  return namespace === undefined || name === undefined ? [] : [{ kind, key: { namespace, name } }];
}

/** Everything on which a finding about who has an address rests. Empty for a text that is no address. */
export function addressReferences(state: ClusterState, text: string): readonly RowReference[] {
  const address = parseAddress(text);
  if (address === undefined) return [];
  return distinct([...blockReferences(state, address), ...holderReferences(state, address)]);
}

/** Each row once, in the order of first mention. */
export function distinct(references: readonly RowReference[]): readonly RowReference[] {
  const byText = new Map<string, RowReference>();
  for (const reference of references) {
    const text = `${reference.kind} ${keyText(reference.key)}`;
    if (!byText.has(text)) byText.set(text, reference);
  }
  return [...byText.values()];
}

function carrierReference(state: ClusterState, { kind, namespace, name }: Carrier): RowReference {
  if (kind === 'Node') return { kind, key: state.node(name)?.key ?? { name } };
  return { kind, key: { namespace, name } };
}
