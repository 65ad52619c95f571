import { isSameNode, matchOwner } from '../../ipam/accounting/ownership.ts';
import type { Allocation, Carrier, ClusterState } from '../../ipam/state/cluster-state.ts';
import { formatAddress } from '../../net/address.ts';
import { notLoaded } from '../evidence.ts';
import { type CarrierFact, allocationSubject, carrierFact } from '../facts.ts';
import { addressReferences } from '../rests-on.ts';
import { rule } from '../rule.ts';
import { carriersText, quoted } from '../wording.ts';

type NodeFacts = {
  readonly address: string;
  /** The node that the allocation names. */
  readonly recordedNode: string;
  /** Whether a node of that name exists. */
  readonly recordedNodeExists: boolean;
  /** The pods of the allocation that carry the address. */
  readonly carriers: readonly CarrierFact[];
};

/** An allocation that names another node than the one on which its pod runs. */
export const nodeAttributeMismatch = rule<NodeFacts>({
  code: 'node-attribute-mismatch',
  severity: 'warning',
  needs: ['IPAMBlock'],
  title: 'An allocation names the wrong node',
  why: "The pod that the allocation was made for carries the address, but runs on another node than the allocation says. Counts per node are wrong, and Calico's own collector may free the address when the named node goes away.",
  remedy:
    'After a rename of nodes run `ipamctl datastore migrate rename-node OLD NEW`; otherwise recreate the pod when it suits, and its address is recorded anew.',
  missingFor: (state) => notLoaded(state, ['Pod']),
  *evaluate(state) {
    for (const allocation of state.allocations()) {
      if (allocation.cooling || allocation.kind !== 'Workload') continue;
      const recordedNode = allocation.nodeAttribute;
      if (recordedNode === undefined) continue;
      const carriers = ownCarriers(state, allocation);
      if (carriers.length === 0 || carriers.some((carrier) => runsOn(state, carrier, recordedNode)))
        continue;
      yield {
        subject: allocationSubject(allocation),
        facts: {
          address: formatAddress(allocation.address),
          recordedNode,
          recordedNodeExists: state.node(recordedNode) !== undefined,
          carriers: carriers.map(carrierFact),
        },
      };
    }
  },
  reason: ({ address, recordedNode, recordedNodeExists, carriers }) =>
    `${address} is allocated for node ${quoted(recordedNode)}${
      recordedNodeExists ? '' : ', which does not exist'
    }, but carried by ${carriersText(carriers)}.`,
  remedyFor: ({ recordedNode, recordedNodeExists, carriers }) =>
    recordedNodeExists
      ? 'The pod is not disturbed by it; recreate it when it suits, so that its address is recorded for the right node.'
      : `If the node was renamed, run \`ipamctl datastore migrate rename-node ${shellText(recordedNode)} ${
          carriers[0]?.node ?? 'NEW'
        }\`; otherwise recreate the pod when it suits.`,
  restsOn: ({ facts }, state) => addressReferences(state, facts.address),
});

/** Pods that carry the address and for which the allocation was made; the other side of a live migration has a node of its own. */
function ownCarriers(state: ClusterState, allocation: Allocation): readonly Carrier[] {
  const { pod, namespace } = allocation;
  return state.carriersOf(allocation.address).filter((carrier) => {
    if (carrier.use !== 'Workload' || carrier.node === undefined) return false;
    if (pod === undefined) return matchOwner(state, allocation, carrier) !== 'other';
    return carrier.name === pod && (namespace === undefined || carrier.namespace === namespace);
  });
}

function runsOn(state: ClusterState, carrier: Carrier, node: string): boolean {
  return carrier.node !== undefined && isSameNode(state, carrier.node, node);
}

/** A name for a shell; one with odd characters in quotes. */
function shellText(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : quoted(name);
}
