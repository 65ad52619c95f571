import { PoolIndex } from '../../ipam/accounting/attribution.ts';
import type { PoolRow } from '../../ipam/model/pool.ts';
import type { Carrier, ClusterState } from '../../ipam/state/cluster-state.ts';
import { type Address, formatAddress } from '../../net/address.ts';
import { type Cidr, cidrOf, containsAddress, formatCidr } from '../../net/cidr.ts';
import { accountableCarriers, assignedAt, missingCarriers } from '../evidence.ts';
import { unreadableBlocks } from '../claims.ts';
import { type CarrierFact, carrierFact } from '../facts.ts';
import type { RuleFinding } from '../finding.ts';
import { addressReferences } from '../rests-on.ts';
import { rule } from '../rule.ts';
import { LOOK_AGAIN, carriersText, qualified } from '../wording.ts';

type UnallocatedFacts = {
  readonly address: string;
  /** The enabled pool around it. */
  readonly pool: string;
  /** The block around it; absent when there is none. */
  readonly block?: string | undefined;
  /** The block is damaged, so that claims in it are refused or go wrong. */
  readonly damaged?: true | undefined;
  readonly carriers: readonly CarrierFact[];
  /** IPAM has released the address and only keeps it back for a while. */
  readonly cooling: boolean;
};

/** An address in use that IPAM believes to be free. */
export const unallocatedAddress = rule<UnallocatedFacts>({
  code: 'unallocated-address',
  severity: 'error',
  needs: ['IPPool', 'IPAMBlock'],
  title: 'In use, but not allocated',
  why: 'Something alive carries an address of an enabled pool that no block has allocated. IPAM will give it to somebody else sooner or later, and then two of them share one address.',
  remedy:
    'Let the carrier ask IPAM for an address again (recreate the pod, restart calico-node on the node), or claim the address for it with `ipamctl ipam assign --ip ADDRESS`.',
  missingFor: missingCarriers,
  *evaluate(state) {
    const pools = new PoolIndex(state.pools.filter((pool) => !pool.disabled));
    const isUnreadable = unreadableBlocks(state);
    for (const address of state.carriedAddresses()) {
      const around = pools.poolsOf(address);
      if (around.length === 0 || assignedAt(state, address).length > 0) continue;
      if (isHidden(state, address, isUnreadable)) continue;
      const carriers = accountableCarriers(state, address);
      if (carriers.length > 0) yield findingOf(state, { address, carriers, pool: nameOf(around) });
    }
  },
  reason: ({ address, carriers, pool, cooling }) =>
    cooling
      ? `${address} of pool ${pool} is carried by ${carriersText(carriers)}, but IPAM has released it and will give it out again when its cooldown is over.`
      : `${address} of pool ${pool} is carried by ${carriersText(carriers)}, but IPAM has not allocated it and may give it to something else at any time.`,
  remedyFor: (facts) => `${facts.damaged ? damagedRemedy(facts) : remedyOf(facts)} ${LOOK_AGAIN}`,
  restsOn: ({ facts }, state) => addressReferences(state, facts.address),
});

/** Whether a block that would hold the address is there but cannot be read: then nobody knows if it is allocated. */
function isHidden(
  state: ClusterState,
  address: Address,
  isUnreadable: (cidr: Cidr) => boolean,
): boolean {
  return state.pools.some(
    ({ cidr, blockSize }) =>
      containsAddress(cidr, address) && isUnreadable(cidrOf(address, blockSize)),
  );
}

function nameOf(pools: readonly PoolRow[]): string {
  return [...pools].sort((a, b) => b.cidr.length - a.cidr.length)[0]?.key.name ?? '';
}

function findingOf(
  state: ClusterState,
  { address, carriers, pool }: { address: Address; carriers: readonly Carrier[]; pool: string },
): RuleFinding<UnallocatedFacts> {
  const text = formatAddress(address);
  const block = state.blocksContaining(address).at(-1);
  const blockText = block && formatCidr(block.cidr);
  const node = carriers.length === 1 ? carriers[0]?.node : undefined;
  return {
    subject: { kind: 'Address', name: text, address: text, cidr: blockText, node },
    facts: {
      address: text,
      pool,
      block: blockText,
      damaged: block !== undefined && block.defects.length > 0 ? true : undefined,
      carriers: carriers.map(carrierFact),
      cooling: state.allocationsAt(address).length > 0,
    },
  };
}

/** What looks free in a damaged block need not be. */
function damagedRemedy({ block = '' }: UnallocatedFacts): string {
  return `Mend block ${block} first, as \`ipamctl ipam check --only invalid-block\` says: it is damaged, and a claim in it is refused or goes wrong. Then check again.`;
}

function remedyOf({ address, carriers }: UnallocatedFacts): string {
  const [carrier] = carriers;
  const claim = `ipamctl ipam assign --ip ${address}`;
  if (carrier === undefined || carriers.length > 1) {
    return `Decide who keeps the address and claim it for that one with \`${claim}\`.`;
  }
  const { kind, namespace, name } = carrier;
  if (kind === 'Node') {
    return `Restart calico-node on node ${name} so that it takes a tunnel address from IPAM, or claim this one with \`${claim} --node ${name} --use Tunnel\`.`;
  }
  if (kind === 'Service') {
    return `Claim it with \`${claim} --use LoadBalancer\`, or let Service ${qualified(namespace, name)} be given a new address.`;
  }
  const node = carrier.node === undefined ? '' : ` --node ${carrier.node}`;
  return `Recreate pod ${qualified(namespace, name)} so that it gets an address that IPAM knows, or claim this one with \`${claim}${node} --attr namespace=${namespace ?? ''} --attr pod=${name}\`.`;
}
