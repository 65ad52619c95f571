import type { Allocation } from '../ipam/state/cluster-state.ts';
import { formatAddress } from '../net/address.ts';
import { formatCidr } from '../net/cidr.ts';
import type { OperationContext } from './context.ts';
import { documentSource } from './document-source.ts';
import type { BorrowedAddress, BorrowedDocument } from './documents/borrowed-document.ts';
import { loadClusterState } from './load-cluster-state.ts';
import type { Outcome } from './outcome.ts';
import { unreadablePart } from './unreadable-part.ts';

/**
 * Lists the addresses that nodes hold in blocks of other nodes or of nobody, by address.
 *
 * Departs from upstream: allocations without a node attribute, such as cooling, Windows or load-balancer ones, are
 * never borrowed and need no note that nothing is known of them.
 */
export async function showBorrowed(context: OperationContext): Promise<Outcome<BorrowedDocument>> {
  const state = await loadClusterState(context, { kinds: ['ClusterInformation', 'IPAMBlock'] });
  const borrowed: BorrowedAddress[] = [];
  for (const allocation of state.allocations()) {
    if (allocation.borrowed) borrowed.push(borrowedAddress(allocation));
  }
  const source = documentSource(context, state);
  const document: BorrowedDocument = {
    kind: 'IPAMBorrowed',
    schemaVersion: 1,
    source,
    borrowed,
    ...unreadablePart(state),
  };
  return { document, verdict: 'ok' };
}

function borrowedAddress(allocation: Allocation): BorrowedAddress {
  const { block } = allocation;
  return {
    ip: formatAddress(allocation.address),
    borrowingNode: allocation.nodeAttribute ?? '',
    block: formatCidr(block.cidr),
    blockOwner: ownerName(block.affinity),
    ...holderOf(allocation),
  };
}

function holderOf({
  machine,
  pod,
  namespace,
  type,
}: Allocation): Pick<BorrowedAddress, 'type' | 'allocatedTo'> {
  const qualified = (name: string) => (namespace === undefined ? name : `${namespace}/${name}`);
  if (machine !== undefined) return { type: 'vmi', allocatedTo: qualified(machine) };
  if (pod !== undefined) return { type: 'pod', allocatedTo: qualified(pod) };
  return { type: type ?? '', allocatedTo: '' };
}

/** Owner without its type; node names hold no colon, but damaged texts may. */
function ownerName(affinity: string | undefined): string {
  return affinity === undefined ? '' : affinity.slice(affinity.indexOf(':') + 1);
}
