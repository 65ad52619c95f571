import { PoolIndex, comparePoolsForBlock } from '../ipam/accounting/attribution.ts';
import { eachAddressOnce } from '../ipam/accounting/overlap.ts';
import { ownerOfAllocation } from '../ipam/accounting/owner.ts';
import { referrerText } from '../ipam/accounting/references.ts';
import { reservedSet } from '../ipam/accounting/reserved-set.ts';
import type { PoolRow } from '../ipam/model/pool.ts';
import type { ResourceKind } from '../ipam/model/resource.ts';
import type { Allocation, Block, ClusterState } from '../ipam/state/cluster-state.ts';
import { type Address, formatAddress } from '../net/address.ts';
import { formatCidr } from '../net/cidr.ts';
import { formatTime } from '../support/time.ts';
import { standingPart } from './address-standing.ts';
import { type AttributesOf, collectAttributes } from './collect-attributes.ts';
import type { OperationContext } from './context.ts';
import { documentSource } from './document-source.ts';
import type {
  AddressCandidate,
  AddressDocument,
  AddressOwner,
} from './documents/address-document.ts';
import { EVIDENCE_KINDS } from './evidence-kinds.ts';
import { loadClusterState } from './load-cluster-state.ts';
import type { Outcome } from './outcome.ts';
import { unreadablePart } from './unreadable-part.ts';

/** The address to look up. */
export interface ShowAddressOptions {
  readonly address: Address;
}

const KINDS: readonly ResourceKind[] = [
  'ClusterInformation',
  'IPPool',
  'IPReservation',
  'IPAMBlock',
  ...EVIDENCE_KINDS,
];

/**
 * Tells everything about one address: every block that contains it is looked at, whatever its size and whether or not
 * a pool covers it. An address that is not allocated is an answer, not an error.
 */
export async function showAddress(
  context: OperationContext,
  { address }: ShowAddressOptions,
): Promise<Outcome<AddressDocument>> {
  const collector = collectAttributes(address);
  const state = await loadClusterState(context, { kinds: KINDS, onRow: collector.onRow });
  const pools = new PoolIndex(state.pools);
  const held = state.allocationsAt(address);
  const block = chooseBlock(state, pools, { address, held });
  const allocation = held.find((one) => one.block === block);
  const pool =
    (block && pools.ownerOf(block.cidr)) ??
    [...pools.poolsOf(address)].sort(comparePoolsForBlock)[0];
  const now = context.clock.now();
  const document: AddressDocument = {
    kind: 'IPAMAddress',
    schemaVersion: 1,
    source: documentSource(context, state),
    ip: formatAddress(address),
    allocated: allocation !== undefined,
    cooling: allocation?.cooling ?? false,
    ...(pool ? { pool: pool.key.name } : {}),
    ...blockPart(block),
    ...allocationPart(allocation, collector),
    reserved: reservedSet(state.reservations).contains(address),
    ...ownerPart(state, allocation, now),
    ...standingPart(state, { address, allocation, now }),
    carriers: state.carriersOf(address).map((carrier) =>
      referrerText({
        kind: carrier.kind,
        key: { namespace: carrier.namespace, name: carrier.name },
      }),
    ),
    ...(held.length > 1 ? { candidates: held.map((one) => candidateOf(one, collector)) } : {}),
    ...unreadablePart(state),
  };
  return { document, verdict: 'ok' };
}

/** The block that counts for the address; when none holds it, the one in which it would be allocated. */
function chooseBlock(
  state: ClusterState,
  pools: PoolIndex,
  { address, held }: { readonly address: Address; readonly held: readonly Allocation[] },
): Block | undefined {
  const containing = state.blocksContaining(address);
  const allocationsIn = (block: Block) => held.filter((allocation) => allocation.block === block);
  const source = {
    allocationsIn,
    ownerOf: (block: Block): PoolRow | undefined => pools.ownerOf(block.cidr),
  };
  for (const holding of eachAddressOnce(containing, source)) return holding.block;
  return containing.find((block) => pools.ownerOf(block.cidr)) ?? containing[0];
}

function blockPart(block: Block | undefined): Pick<AddressDocument, 'block' | 'blockAffinity'> {
  if (!block) return {};
  const { affinity } = block;
  return {
    block: formatCidr(block.cidr),
    ...(affinity === undefined ? {} : { blockAffinity: affinity }),
  };
}

function allocationPart(
  allocation: Allocation | undefined,
  collector: AttributesOf,
): Pick<
  AddressDocument,
  'handle' | 'sequenceNumber' | 'attributes' | 'alternateAttributes' | 'allocatedAt' | 'releasedAt'
> {
  if (!allocation) return { attributes: {} };
  const { handle, sequenceNumber, releasedAt, cooling } = allocation;
  const allocatedAt = cooling ? undefined : allocation.allocatedAt;
  const { owner, alternateOwner } = collector.of(allocation);
  return {
    ...(handle === undefined ? {} : { handle }),
    sequenceNumber,
    attributes: owner,
    ...(alternateOwner ? { alternateAttributes: alternateOwner } : {}),
    ...(allocatedAt === undefined ? {} : { allocatedAt: formatTime(allocatedAt) }),
    ...(releasedAt === undefined ? {} : { releasedAt: formatTime(releasedAt) }),
  };
}

function ownerPart(
  state: ClusterState,
  allocation: Allocation | undefined,
  now: number,
): Pick<AddressDocument, 'owner'> {
  const found = allocation && ownerOfAllocation(state, allocation, { now, minAgeMs: 0 });
  if (!found) return {};
  const { kind, namespace, name, node, alive } = found;
  const owner: AddressOwner = {
    kind,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    ...(node === undefined ? {} : { node }),
    ...(alive === undefined ? {} : { alive }),
  };
  return { owner };
}

function candidateOf(allocation: Allocation, collector: AttributesOf): AddressCandidate {
  const { handle, sequenceNumber, cooling } = allocation;
  return {
    block: formatCidr(allocation.block.cidr),
    ...(handle === undefined ? {} : { handle }),
    sequenceNumber,
    cooling,
    attributes: collector.of(allocation).owner,
  };
}
