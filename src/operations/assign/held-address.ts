import { ownerFact } from '../../check/facts.ts';
import { ownerText } from '../../check/wording.ts';
import { comparableHandleId } from '../../ipam/handle-id.ts';
import { DEFAULT_IPAM_CONFIG } from '../../ipam/model/ipam-config.ts';
import type { KeptAs } from '../../ipam/plan.ts';
import type { Allocation, ClusterState } from '../../ipam/state/cluster-state.ts';
import type { Address } from '../../net/address.ts';
import { formatCidr } from '../../net/cidr.ts';

/** Why an address is not assigned. */
export interface AddressKept {
  readonly end: KeptAs;
  readonly reason: string;
}

/**
 * Why a given address cannot be assigned: this handle has it already, another holds it, or it cools. Undefined when it is
 * free, in whatever block it could be.
 */
export function keptAddress(
  state: ClusterState,
  { address, handle }: { readonly address: Address; readonly handle: string },
  now: number,
): AddressKept | undefined {
  const { ipCooldownSeconds } = state.config ?? DEFAULT_IPAM_CONFIG;
  const held = state
    .allocationsAt(address)
    .filter((allocation) => !isCooled(allocation, now, ipCooldownSeconds));
  const [first] = held;
  if (first === undefined) return undefined;
  const own = comparableHandleId(handle);
  const other = held.find(({ cooling, handleId }) => cooling || handleId !== own);
  if (other) return { end: 'refusal', reason: heldText(other) };
  return { end: 'already', reason: 'this handle has it already' };
}

/** The next assignment in the block returns it to the free ones first. */
function isCooled(
  { cooling, releasedAt }: Allocation,
  now: number,
  cooldownSeconds: number,
): boolean {
  if (!cooling) return false;
  return cooldownSeconds <= 0 || (releasedAt ?? now) < now - cooldownSeconds * 1000;
}

function heldText(allocation: Allocation): string {
  const block = `block ${formatCidr(allocation.block.cidr)}`;
  if (allocation.cooling) return `it was released and still cools in ${block}`;
  if (allocation.kind === 'WindowsReserved') return `a Windows node reserves it in ${block}`;
  const { handleId } = allocation;
  const holder = handleId === undefined ? 'no handle' : `handle ${handleId}`;
  const owner = ownerText(ownerFact(allocation));
  const isNamed =
    allocation.pod !== undefined ||
    allocation.service !== undefined ||
    allocation.machine !== undefined;
  const whom = isNamed && owner !== undefined ? `${holder} (${owner})` : holder;
  return `it is assigned already in ${block}, to ${whom}`;
}
