import { matchOwner } from '../../ipam/accounting/ownership.ts';
import type { ClusterState } from '../../ipam/state/cluster-state.ts';
import { type Address, compareAddresses, formatAddress } from '../../net/address.ts';
import { type ConflictFacts, conflictAt, conflictReason } from '../conflict.ts';
import { assignedAt, missingCarriers } from '../evidence.ts';
import { addressReferences } from '../rests-on.ts';
import { rule } from '../rule.ts';
import { LOOK_AGAIN, carriersText, listed, ownerText } from '../wording.ts';

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
  reason: conflictReason,
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
  const carriers = state.carriersOf(address);
  const carrier = carriers[0];
  if (carrier === undefined || carriers.length > 1) return false;
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
