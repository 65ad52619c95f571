import { type BlockOwner, isHost, isSameOwner, ownerOfAffinity } from '../../ipam/block-owner.ts';
import { ENTRY_KEYS, OBJECT_KEYS } from '../../ipam/model/row-keys.ts';
import type { Affinity, Block, ClusterState } from '../../ipam/state/cluster-state.ts';
import { formatCidr, parseCidr } from '../../net/cidr.ts';
import { absentHosts, blockOwnerText, blockSubject, claimReferences, hostText } from '../claims.ts';
import { rule } from '../rule.ts';
import { LOOK_AGAIN } from '../wording.ts';

type UnclaimedFacts = {
  readonly block: string;
  readonly type: string;
  readonly host: string;
  /** The owner is a host and no node; absent where nodes are not known. */
  readonly nodeMissing?: boolean | undefined;
  /** Row of another type that has the name the row would get. */
  readonly nameTakenBy?: string | undefined;
  /** Cooling addresses included. */
  readonly inUse: number;
};

/** A block whose owner has no affinity row for it. */
export const blockWithoutAffinity = rule<UnclaimedFacts>({
  code: 'block-without-affinity',
  severity: 'error',
  needs: ['IPAMBlock', 'BlockAffinity'],
  title: 'A block without affinity row',
  why: 'A node finds its blocks by their affinity rows. Without the row the owner cannot give out the addresses of the block, no other node can claim it, and the route to it may be withdrawn under running pods.',
  remedy: 'Make the row with `ipamctl ipam repair --only block-without-affinity`.',
  *evaluate(state) {
    const isAbsent = absentHosts(state);
    for (const block of state.blocks) {
      const owner = ownerOfAffinity(block.affinity);
      if (owner === undefined || hasRow(state, block, owner)) continue;
      if (mayBeUnreadable(state, block, owner)) continue;
      const { name } = state.keys.affinity(owner, block.cidr);
      const nodeMissing =
        isHost(owner) && state.isLoaded('Node') ? isAbsent(owner.host) : undefined;
      yield {
        subject: blockSubject(block),
        facts: {
          block: formatCidr(block.cidr),
          type: owner.type,
          host: owner.host,
          nodeMissing,
          nameTakenBy: rowsOf(state, block).find(({ key }) => key.name === name)?.key.name,
          inUse: block.inUse,
        },
      };
    }
  },
  reason: ({ block, type, host, nameTakenBy }) => {
    const taken =
      nameTakenBy === undefined ? '' : `; a row of another type has its name, ${nameTakenBy}`;
    return `Block ${block} belongs to ${blockOwnerText({ type, host })}, which has no affinity row for it${taken}.`;
  },
  remedyFor: ({ host, nodeMissing, nameTakenBy, inUse }) => {
    if (nodeMissing) {
      const first =
        inUse > 0
          ? `Release its addresses with \`ipamctl ipam release --node ${hostText(host)}\`, then let`
          : 'Let';
      return `${first} the block go with \`ipamctl ipam repair --only affinity-of-missing-node\`, because its owner is no node.`;
    }
    if (nameTakenBy !== undefined) {
      return 'Delete the other row with `ipamctl ipam repair --only conflicting-affinity`, then make the right one with `ipamctl ipam repair --only block-without-affinity`.';
    }
    return `Make the row with \`ipamctl ipam repair --only block-without-affinity\`; the block and its addresses stay as they are. ${LOOK_AGAIN}`;
  },
  restsOn: ({ facts: { block, type, host } }, state) => {
    const cidr = parseCidr(block);
    return cidr === undefined ? [] : claimReferences(state, cidr, [{ type, host }]);
  },
});

function rowsOf(state: ClusterState, block: Block): readonly Affinity[] {
  return state.affinitiesOf(block.cidr);
}

function hasRow(state: ClusterState, block: Block, owner: BlockOwner): boolean {
  return rowsOf(state, block).some((row) => isSameOwner(row, owner));
}

/** Whether the row is there but cannot be read, under either of the names that it may have in files. */
function mayBeUnreadable(state: ClusterState, { cidr }: Block, owner: BlockOwner): boolean {
  return [OBJECT_KEYS, ENTRY_KEYS].some((keys) =>
    state.mayBeUnreadable('BlockAffinity', keys.affinity(owner, cidr)),
  );
}
