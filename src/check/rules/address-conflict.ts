import { judgeAllocation } from '../../ipam/accounting/liveness.ts';
import { hasLiveOwner, machineOf, matchOwner } from '../../ipam/accounting/ownership.ts';
import type { Allocation, Carrier, ClusterState } from '../../ipam/state/cluster-state.ts';
import { type Address, compareAddresses, formatAddress } from '../../net/address.ts';
import { accountableCarriers, assignedAt, missingCarriers } from '../evidence.ts';
import { type CarrierFact, type OwnerFact, carrierFact, ownerFact } from '../facts.ts';
import { addressReferences } from '../rests-on.ts';
import { type RuleContext, rule } from '../rule.ts';
import { LOOK_AGAIN, carriersText, listed, ownerText } from '../wording.ts';

/** In what way an address has two owners; several may hold at once. */
type ConflictForm = 'two-carriers' | 'two-blocks' | 'other-owner';

type ConflictFacts = {
  readonly address: string;
  readonly forms: readonly ConflictForm[];
  readonly carriers: readonly CarrierFact[];
  /** What the allocations of the address record, in block order. */
  readonly allocations: readonly OwnerFact[];
};

/** An address with two owners. */
export const addressConflict = rule<ConflictFacts>({
  code: 'address-conflict',
  severity: 'error',
  needs: ['IPAMBlock'],
  title: 'One address, two owners',
  why: 'Two live carriers show one address, or it is allocated to one that lives or waits and carried by another, or two blocks have it allocated. Traffic for one of them reaches the other.',
  remedy:
    'See with `ipamctl ipam show --ip ADDRESS` who is involved, decide who keeps the address, and recreate the other one. Do not release it: that helps neither.',
  missingFor: missingCarriers,
  *evaluate(state, context) {
    for (const address of suspects(state)) {
      const facts = conflictAt(state, address, context);
      if (facts === undefined) continue;
      const text = formatAddress(address);
      const [allocation] = facts.allocations;
      yield {
        subject: { kind: 'Address', name: text, address: text, cidr: allocation?.block },
        facts,
      };
    }
  },
  reason: (facts) =>
    `${facts.address} ${listed(facts.forms.map((form) => clauseOf(form, facts)))}.`,
  remedyFor: (facts) => `${remedyOf(facts)} ${LOOK_AGAIN}`,
  restsOn: ({ facts }, state) => addressReferences(state, facts.address),
});

/** Addresses that can be in conflict at all, in order: carried by one that is not plainly its owner, or in two blocks. */
function suspects(state: ClusterState): readonly Address[] {
  const found = addressesInTwoBlocks(state);
  for (const address of state.carriedAddresses()) {
    if (!isPlain(state, address)) found.add(address);
  }
  return [...found].sort(compareAddresses);
}

/** The common case, told apart fast: one carrier, and no allocation or exactly the one that names it. */
function isPlain(state: ClusterState, address: Address): boolean {
  const [carrier, second] = state.carriersOf(address);
  if (carrier === undefined || second !== undefined) return false;
  const allocations = assignedAt(state, address);
  return allocations.every((allocation) => matchOwner(state, allocation, carrier) !== 'other');
}

function addressesInTwoBlocks(state: ClusterState): Set<Address> {
  const found = new Set<Address>();
  for (const block of state.blocks) {
    if (block.inUse === block.cooling || state.blocksOverlapping(block.cidr).length < 2) continue;
    for (const { address, cooling } of state.allocationsIn(block)) {
      if (!cooling && assignedAt(state, address).length > 1) found.add(address);
    }
  }
  return found;
}

function conflictAt(
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

function clauseOf(form: ConflictForm, { carriers, allocations }: ConflictFacts): string {
  if (form === 'two-carriers') return `is carried at the same time by ${carriersText(carriers)}`;
  if (form === 'two-blocks')
    return `is allocated in blocks ${listed(allocations.map(({ block }) => block))}`;
  const owner = listed(allocations.map((allocation) => ownerText(allocation) ?? 'another'));
  return `is allocated to ${owner} but carried by ${carriersText(carriers)}`;
}

function remedyOf({ address, forms, carriers, allocations }: ConflictFacts): string {
  const show = `\`ipamctl ipam show --ip ${address}\``;
  if (forms.includes('two-carriers')) {
    return `Decide with ${show} which of them keeps the address and recreate the other one so that it gets a new address; do not release this one while anything carries it.`;
  }
  if (forms.includes('other-owner')) {
    const owner = listed(allocations.map((allocation) => ownerText(allocation) ?? 'the owner'));
    return `Recreate ${carriersText(carriers)} so that it gets an address of its own, or ${owner} so that it asks for another one; do not release the address while anything carries it.`;
  }
  return `Find out with ${show} which block's allocation is in use and release the other one with \`ipamctl ipam release --ip ${address} --block CIDR\`; overlapping blocks go away when the pool's block size is settled.`;
}
