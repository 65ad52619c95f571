import { formatAddress } from '../net/address.ts';
import { formatCidr } from '../net/cidr.ts';
import type { AllocationKind } from '../ipam/accounting/kind.ts';
import type { Allocation, Carrier } from '../ipam/state/cluster-state.ts';
import type { FindingSubject } from './finding.ts';

/** A carrier as facts state it. */
export type CarrierFact = {
  readonly kind: Carrier['kind'];
  readonly namespace?: string | undefined;
  readonly name: string;
  /** Where it runs; absent for nodes and Services. */
  readonly node?: string | undefined;
  readonly terminating?: true | undefined;
};

/** Who an allocation was made for, as facts state it; absent where the allocation says nothing. */
export type OwnerFact = {
  readonly block: string;
  readonly use: AllocationKind;
  readonly handle?: string | undefined;
  readonly namespace?: string | undefined;
  readonly pod?: string | undefined;
  readonly service?: string | undefined;
  readonly machine?: string | undefined;
  readonly node?: string | undefined;
};

/** A carrier reduced to what facts state. */
export function carrierFact(carrier: Carrier): CarrierFact {
  return {
    kind: carrier.kind,
    namespace: carrier.namespace,
    name: carrier.name,
    node: carrier.kind === 'Node' ? undefined : carrier.node,
    terminating: carrier.terminating ? true : undefined,
  };
}

/** The owner that an assigned allocation records. */
export function ownerFact(allocation: Allocation): OwnerFact {
  return {
    block: formatCidr(allocation.block.cidr),
    use: allocation.kind,
    handle: allocation.handleId,
    namespace: allocation.namespace,
    pod: allocation.pod,
    service: allocation.service,
    machine: allocation.machine,
    node: allocation.node,
  };
}

/** Subject of a finding about one allocation: its address, block, node and handle. */
export function allocationSubject(allocation: Allocation): FindingSubject {
  const address = formatAddress(allocation.address);
  return {
    kind: 'Address',
    name: address,
    address,
    cidr: formatCidr(allocation.block.cidr),
    node: allocation.node,
    handle: allocation.handleId,
  };
}
