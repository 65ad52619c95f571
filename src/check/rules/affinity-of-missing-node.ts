import { isHost } from '../../ipam/block-owner.ts';
import { judgeAllocation } from '../../ipam/accounting/liveness.ts';
import type { Affinity, Block, ClusterState } from '../../ipam/state/cluster-state.ts';
import { type Cidr, compareCidrs, formatCidr, parseCidr } from '../../net/cidr.ts';
import {
  absentHosts,
  claimReferences,
  hostText,
  nodeReference,
  unreadableBlocks,
} from '../claims.ts';
import type { RuleFinding } from '../finding.ts';
import { distinct } from '../rests-on.ts';
import { type RuleContext, rule } from '../rule.ts';
import { LOOK_AGAIN, counted, listed } from '../wording.ts';

type MissingNodeFacts = {
  readonly block: string;
  /** Hosts that are no nodes; the owner of the block first. */
  readonly hosts: readonly string[];
  /** Affinity text of the block; absent when it has no owner or is not there. */
  readonly owner?: string | undefined;
  /** What the absent host has: the block itself, or a row for a block of another owner, of none, or one that is not there. */
  readonly claim: 'owner' | 'row-against-block' | 'row-without-block' | 'row-of-unreadable-block';
  /** Names of the affinity rows of those hosts. */
  readonly rows: readonly string[];
  readonly assigned: number;
  readonly cooling: number;
  /** Addresses that something alive shows, whatever it is. */
  readonly live: number;
  /** Those of them that are assigned to another node than the owner of the block. */
  readonly liveBorrowed: number;
  /** Addresses that nothing shows, but that may be alive: starting, kept by a machine, or not judged for want of evidence. */
  readonly maybeLive: number;
};

const REPAIR = '`ipamctl ipam repair --only affinity-of-missing-node`';

/** A block, its affinity rows, or both, of a host that is no node. */
export const affinityOfMissingNode = rule<MissingNodeFacts>({
  code: 'affinity-of-missing-node',
  severity: 'error',
  needs: ['Node', 'IPAMBlock', 'BlockAffinity'],
  title: 'A block or affinity of an absent node',
  why: 'The host that owns the block is no node: it was removed without its IPAM data, or has another name now. No node can claim the range, and routes to it lead nowhere.',
  remedy:
    'Release what is left in it with `ipamctl ipam release --node NODE`, then the empty block and its row with `ipamctl ipam repair --only affinity-of-missing-node`. After a rename, use `ipamctl datastore migrate rename-node OLD NEW`.',
  *evaluate(state, context) {
    for (const claim of claimsOfAbsentHosts(state)) yield findingOf(state, claim, context);
  },
  reason: (facts) => {
    const { block, hosts } = facts;
    const names = `${listed(hosts.map(hostText))}, ${hosts.length === 1 ? 'which is no node' : 'which are no nodes'}`;
    switch (facts.claim) {
      case 'owner':
        return `Block ${block} belongs to ${names}; ${contentsText(facts)}.`;
      case 'row-against-block':
        return `An affinity row claims block ${block} for ${names}; the block ${facts.owner === undefined ? 'has no owner' : `belongs to ${facts.owner}`}.`;
      case 'row-without-block':
        return `An affinity row claims block ${block} for ${names}; no such block exists.`;
      case 'row-of-unreadable-block':
        return `An affinity row claims block ${block} for ${names}; the block itself cannot be read.`;
    }
  },
  remedyFor: (facts) => {
    switch (facts.claim) {
      case 'owner':
        return `${remedyForBlock(facts)} ${LOOK_AGAIN}`;
      case 'row-against-block':
        return `Delete the row that contradicts the block with \`ipamctl ipam repair --only conflicting-affinity\`. ${LOOK_AGAIN}`;
      case 'row-without-block':
        return `Delete the row with ${REPAIR}. ${LOOK_AGAIN}`;
      case 'row-of-unreadable-block':
        return `Mend the row of the block first (see unreadable-object), then look again.`;
    }
  },
  restsOn: ({ facts }, state) => {
    const cidr = parseCidr(facts.block);
    if (cidr === undefined) return [];
    const owners = facts.hosts.map((host) => ({ type: 'host', host }));
    return distinct([
      ...claimReferences(state, cidr, owners),
      ...facts.hosts.map((host) => nodeReference(state, host)),
    ]);
  },
});

/** What absent hosts claim of one prefix. */
interface Claim {
  readonly cidr: Cidr;
  /** Blocks of the prefix that such a host owns. */
  readonly blocks: Block[];
  /** Affinity rows of such hosts for it. */
  readonly rows: Affinity[];
}

/** Claims of hosts that are no nodes, one a prefix, by address. */
function claimsOfAbsentHosts(state: ClusterState): readonly Claim[] {
  const isAbsent = absentHosts(state);
  const claims = new Map<string, Claim>();
  const claimOf = (cidr: Cidr): Claim => {
    const text = formatCidr(cidr);
    const claim = claims.get(text) ?? { cidr, blocks: [], rows: [] };
    claims.set(text, claim);
    return claim;
  };
  for (const block of state.blocks) {
    if (block.node !== undefined && isAbsent(block.node)) claimOf(block.cidr).blocks.push(block);
  }
  for (const row of state.affinities) {
    if (isHost(row) && isAbsent(row.host)) claimOf(row.cidr).rows.push(row);
  }
  return [...claims.values()].sort((a, b) => compareCidrs(a.cidr, b.cidr));
}

function findingOf(
  state: ClusterState,
  claim: Claim,
  context: RuleContext,
): RuleFinding<MissingNodeFacts> {
  const { cidr, blocks, rows } = claim;
  const block = formatCidr(cidr);
  const owners = blocks.flatMap(({ node }) => (node === undefined ? [] : [node]));
  const hosts = [...new Set([...owners, ...rows.map(({ host }) => host)])];
  const [owned] = blocks;
  return {
    subject: {
      kind: owned === undefined ? 'BlockAffinity' : 'IPAMBlock',
      name: (owned ?? rows[0])?.key.name ?? block,
      cidr: block,
      node: hosts[0],
    },
    facts: {
      block,
      hosts,
      owner: (owned ?? state.blocksOf(cidr)[0])?.affinity,
      claim: claimKind(state, claim),
      rows: rows.map(({ key }) => key.name),
      ...contentsOf(state, blocks, context),
    },
  };
}

function claimKind(state: ClusterState, { cidr, blocks }: Claim): MissingNodeFacts['claim'] {
  if (blocks.length > 0) return 'owner';
  if (state.blocksOf(cidr).length > 0) return 'row-against-block';
  return unreadableBlocks(state)(cidr) ? 'row-of-unreadable-block' : 'row-without-block';
}

type Contents = Pick<
  MissingNodeFacts,
  'assigned' | 'cooling' | 'live' | 'liveBorrowed' | 'maybeLive'
>;

function contentsOf(state: ClusterState, blocks: readonly Block[], context: RuleContext): Contents {
  const contents = { assigned: 0, cooling: 0, live: 0, liveBorrowed: 0, maybeLive: 0 };
  for (const allocation of blocks.flatMap((block) => [...state.allocationsIn(block)])) {
    if (allocation.cooling) {
      contents.cooling++;
      continue;
    }
    contents.assigned++;
    const { carriers, standing } = judgeAllocation(state, allocation, context);
    const isLive = carriers.length > 0;
    if (isLive) contents.live++;
    if (isLive && allocation.borrowed) contents.liveBorrowed++;
    if (!isLive && standing !== 'leaked') contents.maybeLive++;
  }
  return contents;
}

function contentsText(facts: MissingNodeFacts): string {
  const { assigned, cooling, live, liveBorrowed, maybeLive } = facts;
  if (assigned + cooling === 0) return 'it holds no address';
  const borrowed = liveBorrowed > 0 ? `, ${liveBorrowed} borrowed by other nodes` : '';
  const parts = [
    live > 0 ? `${live} in use by something alive${borrowed}` : '',
    maybeLive > 0 ? `${maybeLive} that may be in use` : '',
    cooling > 0 ? `${cooling} cooling` : '',
  ].filter((part) => part !== '');
  const details = parts.length > 0 ? ` (${parts.join('; ')})` : '';
  return `it holds ${counted(assigned + cooling, 'address', 'addresses')}${details}`;
}

function remedyForBlock({ hosts, assigned, cooling, live, maybeLive }: MissingNodeFacts): string {
  const host = hostText(hosts[0] ?? '');
  if (assigned + cooling === 0) return `Let the empty block and its row go with ${REPAIR}.`;
  if (live > 0) {
    return `Leave the block while something alive uses it: recreate those pods, then run \`ipamctl ipam release --node ${host}\` and ${REPAIR}. If ${host} is an old name of a node, use \`ipamctl datastore migrate rename-node\` instead.`;
  }
  if (maybeLive > 0) {
    return `Find out with \`ipamctl ipam show --ip ADDRESS\` who has its addresses; once they are released, let the block go with ${REPAIR}.`;
  }
  if (assigned === 0)
    return `Wait until its addresses have cooled, then let the block go with ${REPAIR}.`;
  return `Release its addresses with \`ipamctl ipam release --node ${host}\`, then let the block go with ${REPAIR}.`;
}
