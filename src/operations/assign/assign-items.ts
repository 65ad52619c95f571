import type { FamilyAssignment } from '../../engine/partial-result.ts';
import { describeShortfall } from '../../engine/partial-result.ts';
import { PartialError } from '../../errors/partial-error.ts';
import { blockOf } from '../../ipam/allocator/block-content.ts';
import { isEnabled, poolOf } from '../../ipam/allocator/select-pools.ts';
import type { PlanItem, PlanSubject } from '../../ipam/plan.ts';
import type { ClusterState } from '../../ipam/state/cluster-state.ts';
import { type Address, formatAddress } from '../../net/address.ts';
import { type Cidr, cidrOf, formatCidr } from '../../net/cidr.ts';
import type { AssignRequest } from './assign-request.ts';
import type { AddressKept } from './held-address.ts';

/** Item of an address that was asked for by name. */
export function givenItem(
  state: ClusterState,
  request: AssignRequest & { readonly address: Address },
  kept: AddressKept | undefined,
): PlanItem {
  const pool = poolOf(state.pools.filter(isEnabled), request.address);
  const cidr = pool && blockOf(request.address, pool.blockSize);
  return {
    action: 'assign-address',
    subject: addressSubject(request, request.address, cidr),
    precondition: kept ? '' : 'still free',
    reason: kept?.reason ?? `requested by name for ${holderText(request)}`,
    kept: kept?.end,
  };
}

/** Items of a request for free addresses; which they are is known only once they are assigned. */
export function openItems(request: AssignRequest): readonly PlanItem[] {
  return Array.from({ length: request.count }, (_, i): PlanItem => {
    const name = `IPv${request.family} (${i + 1} of ${request.count})`;
    return {
      action: 'assign-address',
      subject: { kind: 'Address', name, ...holderOf(request) },
      precondition: 'free when its block is written',
      reason: `requested for ${holderText(request)}`,
    };
  });
}

/** The item with the address that it came to. */
export function itemOf(
  item: PlanItem,
  request: AssignRequest,
  { address, length }: FamilyAssignment['addresses'][number],
): PlanItem {
  return { ...item, subject: addressSubject(request, address, cidrOf(address, length)) };
}

/** What is missing of a request, as an error: fewer than asked for is a partial result, none at all included. */
export function shortfallOf(
  assignment: FamilyAssignment | undefined,
  request: AssignRequest,
): PartialError {
  const text = assignment && describeShortfall(assignment);
  return new PartialError(
    text ?? `fewer than ${request.count} IPv${request.family} addresses were assigned`,
    { hint: 'ipamctl ipam show --show-blocks shows where addresses are left' },
  );
}

function addressSubject(
  request: AssignRequest,
  address: Address,
  cidr: Cidr | undefined,
): PlanSubject {
  const text = formatAddress(address);
  return {
    kind: 'Address',
    name: text,
    address: text,
    cidr: cidr && formatCidr(cidr),
    ...holderOf(request),
  };
}

function holderOf({
  use,
  host,
  handle,
  isHandleNew,
  isRehearsed,
}: AssignRequest): Pick<PlanSubject, 'node' | 'handle'> {
  return {
    node: use === 'LoadBalancer' ? undefined : host,
    // The next run makes up another one.
    handle: isRehearsed && isHandleNew ? undefined : handle,
  };
}

function holderText({ use, host }: AssignRequest): string {
  return use === 'LoadBalancer' ? 'a load balancer' : `node ${host}`;
}
