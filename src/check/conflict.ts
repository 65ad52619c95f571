import { judgeAllocation } from '../ipam/accounting/liveness.ts';
import { hasLiveOwner, machineOf, matchOwner } from '../ipam/accounting/ownership.ts';
import type { Allocation, Carrier, ClusterState } from '../ipam/state/cluster-state.ts';
import { type Address, formatAddress } from '../net/address.ts';
import { accountableCarriers, assignedAt } from './evidence.ts';
import { type CarrierFact, type OwnerFact, carrierFact, ownerFact } from './facts.ts';
import type { RuleContext } from './rule.ts';
import { carriersText, listed, ownerText } from './wording.ts';

/** In what way an address has two owners; several may hold at once. */
type ConflictForm = 'two-carriers' | 'two-blocks' | 'other-owner';

/** Who is involved in a conflict. */
export type ConflictFacts = {
  readonly address: string;
  readonly forms: readonly ConflictForm[];
  readonly carriers: readonly CarrierFact[];
  /** What the allocations of the address record, in block order. */
  readonly allocations: readonly OwnerFact[];
};

/** In what way an address has two owners, as far as one look shows; undefined when it has not. */
export function conflictAt(
  state: ClusterState,
  address: Address,
  context: RuleContext,
): ConflictFacts | undefined {
  const allocations = assignedAt(state, address);
  const carriers = accountableCarriers(state, address);
  const forms: ConflictForm[] = [];
  if (holdersOf(state, allocations, carriers) > 1) forms.push('two-carriers');
  if (allocations.length > 1) forms.push('two-blocks');
  if (forms.length === 0 && isCarriedByAnother(state, { allocations, carriers }, context))
    forms.push('other-owner');
  if (forms.length === 0) return undefined;
  return {
    address: formatAddress(address),
    forms,
    carriers: carriers.map(carrierFact),
    allocations: allocations.map(ownerFact),
  };
}

/** Number of independent carriers; the two pods of a virtual machine on the move are one. */
function holdersOf(
  state: ClusterState,
  allocations: readonly Allocation[],
  carriers: readonly Carrier[],
): number {
  const holders = new Set<Carrier | Allocation>();
  for (const carrier of carriers) {
    const shared = allocations.find(
      (allocation) =>
        (allocation.alternate !== undefined || machineOf(state, allocation) !== undefined) &&
        matchOwner(state, allocation, carrier) !== 'other',
    );
    holders.add(shared ?? carrier);
  }
  return holders.size;
}

/**
 * Whether something carries the address while another owner of it lives or waits. Where nothing of the allocation's own
 * kind carries it, `leaked-address` tells the same and names the carrier.
 */
function isCarriedByAnother(
  state: ClusterState,
  {
    allocations,
    carriers,
  }: { readonly allocations: readonly Allocation[]; readonly carriers: readonly Carrier[] },
  context: RuleContext,
): boolean {
  return allocations.some(
    (allocation) =>
      carriers.some((carrier) => matchOwner(state, allocation, carrier) === 'other') &&
      hasLiveOwner(state, allocation) &&
      judgeAllocation(state, allocation, context).standing !== 'leaked',
  );
}

/** What the conflict is, in a sentence. */
export function conflictReason(facts: ConflictFacts): string {
  return `${facts.address} ${listed(facts.forms.map((form) => clauseOf(form, facts)))}.`;
}

function clauseOf(form: ConflictForm, { carriers, allocations }: ConflictFacts): string {
  if (form === 'two-carriers') return `is carried at the same time by ${carriersText(carriers)}`;
  if (form === 'two-blocks')
    return `is allocated in blocks ${listed(allocations.map(({ block }) => block))}`;
  const owner = listed(allocations.map((allocation) => ownerText(allocation) ?? 'another'));
  return `is allocated to ${owner} but carried by ${carriersText(carriers)}`;
}
