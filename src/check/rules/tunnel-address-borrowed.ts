import { isSameNode } from '../../ipam/accounting/ownership.ts';
import type { ClusterState, Node } from '../../ipam/state/cluster-state.ts';
import { type Address, compareAddresses, formatAddress } from '../../net/address.ts';
import { formatCidr } from '../../net/cidr.ts';
import type { RuleFinding } from '../finding.ts';
import { addressReferences } from '../rests-on.ts';
import { rule } from '../rule.ts';

type BorrowedFacts = {
  readonly address: string;
  /** The node that uses it as a tunnel address. */
  readonly node: string;
  /** `vxlan`, `ipip` and the like. */
  readonly tunnel: string;
  readonly block: string;
  readonly blockOwner: string;
};

/** A tunnel address out of the block of another node. */
export const tunnelAddressBorrowed = rule<BorrowedFacts>({
  code: 'tunnel-address-borrowed',
  severity: 'warning',
  needs: ['IPAMBlock', 'Node'],
  title: "A tunnel address lies in another node's block",
  why: 'The block of an address decides where other nodes send its traffic. Replies to a tunnel address in a foreign block may go to the owner of the block, so traffic from the node itself to remote pods fails now and then.',
  remedy:
    'Give the node a tunnel address of its own: make sure that it can claim a block, remove the tunnel address from the node and restart calico-node there.',
  *evaluate(state) {
    for (const { address, node, type } of tunnelsOf(state))
      yield* findingsOf(state, { address, node, type });
  },
  reason: ({ address, node, tunnel, block, blockOwner }) =>
    `Node ${node} uses ${address} as its ${tunnel} tunnel address, but block ${block} belongs to node ${blockOwner}, so replies may go there.`,
  remedyFor: ({ node }) =>
    `Make sure that node ${node} can claim a block of its own, then restart calico-node on it so that it takes its tunnel address from there.`,
  restsOn: ({ facts }, state) => addressReferences(state, facts.address),
});

interface Tunnel {
  readonly address: Address;
  readonly node: Node;
  readonly type: string;
}

function tunnelsOf(state: ClusterState): readonly Tunnel[] {
  return state.nodes
    .flatMap((node) => node.tunnels.map(({ address, type }) => ({ address, node, type })))
    .sort((a, b) => compareAddresses(a.address, b.address));
}

function* findingsOf(
  state: ClusterState,
  { address, node, type }: Tunnel,
): Generator<RuleFinding<BorrowedFacts>> {
  for (const block of state.blocksContaining(address)) {
    const owner = block.node;
    // A host that is no node has no route to mislead replies; its block has a finding of its own.
    if (
      owner === undefined ||
      state.node(owner) === undefined ||
      isSameNode(state, owner, node.name)
    )
      continue;
    if (!isHeldAsTunnel(state, address, block.index)) continue;
    const text = formatAddress(address);
    const cidr = formatCidr(block.cidr);
    yield {
      subject: { kind: 'Address', name: text, address: text, cidr, node: node.name },
      facts: { address: text, node: node.name, tunnel: type, block: cidr, blockOwner: owner },
    };
  }
}

/** Borrowed means assigned: an address that this block does not hold for a tunnel is the subject of other rules. */
function isHeldAsTunnel(state: ClusterState, address: Address, blockIndex: number): boolean {
  return state
    .allocationsAt(address)
    .some(
      ({ block, cooling, kind }) => block.index === blockIndex && !cooling && kind === 'Tunnel',
    );
}
