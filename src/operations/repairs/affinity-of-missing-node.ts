import { isHost, isSameOwner, ownerOfAffinity } from '../../ipam/block-owner.ts';
import type { ResourceKey } from '../../ipam/model/resource.ts';
import type { ClusterState } from '../../ipam/state/cluster-state.ts';
import { parseCidr } from '../../net/cidr.ts';
import { releaseEmptyClaim } from '../release-empty-claim.ts';
import { keptByWorkload } from './live-in-range.ts';
import { harmless, type RepairAttempt, type RepairKept, refusal, repair } from './repair.ts';

interface MissingNodeFacts {
  readonly block: string;
  readonly hosts: readonly string[];
  readonly owner?: string | undefined;
  readonly claim: 'owner' | 'row-against-block' | 'row-without-block' | 'row-of-unreadable-block';
  readonly rows: readonly string[];
  readonly assigned: number;
  readonly cooling: number;
}

/** Gives up an empty block of a host that is no node, and its rows. */
export const affinityOfMissingNode = repair<MissingNodeFacts>({
  code: 'affinity-of-missing-node',
  action: ({ facts }) => (facts.claim === 'owner' ? 'delete-block' : 'delete-affinity'),
  precondition: 'still of no node, and empty',
  keyOf: ({ facts }) => `block ${facts.block}`,
  keep({ facts }, { state }) {
    const { claim, assigned, cooling } = facts;
    const cidr = parseCidr(facts.block);
    if (cidr === undefined || claim === 'row-of-unreadable-block')
      return refusal('its block cannot be read');
    const windows = windowsSlots(state, facts);
    if (claim === 'owner' && assigned - windows + cooling > 0) {
      return refusal(
        cooling > 0 && assigned === windows
          ? 'the block cools an address'
          : 'the block holds an address',
      );
    }
    if (claim === 'row-against-block' && facts.owner === undefined && isInUse(state, facts)) {
      return refusal('the block has no owner and holds addresses, so nobody knows whose it is');
    }
    for (const host of facts.hosts) {
      const kept = keptByWorkload(state, host, cidr);
      if (kept) return kept;
    }
    return undefined;
  },
  async apply({ facts }, tools) {
    for (const host of facts.hosts) {
      if (await exists(host, tools)) return harmless(`node ${host} exists again`);
    }
    return facts.claim === 'owner' ? releaseOwned(facts, tools) : deleteRows(facts, tools);
  },
});

/** Slots that Windows nodes reserve do not make a block used. */
function windowsSlots(state: ClusterState, facts: MissingNodeFacts): number {
  let count = 0;
  for (const block of blocksOf(state, facts)) {
    for (const { kind, cooling } of state.allocationsIn(block))
      if (kind === 'WindowsReserved' && !cooling) count++;
  }
  return count;
}

function isInUse(state: ClusterState, facts: MissingNodeFacts): boolean {
  return blocksOf(state, facts).some(({ inUse }) => inUse > 0);
}

function blocksOf(state: ClusterState, { block }: MissingNodeFacts) {
  const cidr = parseCidr(block);
  return cidr === undefined ? [] : state.blocksOf(cidr);
}

async function exists(host: string, { context }: RepairAttempt): Promise<boolean> {
  if (!context.datastore.capabilities.live) return false;
  return (
    (await context.datastore.get('Node', { name: host }, { signal: context.signal })) !== undefined
  );
}

async function releaseOwned(
  facts: MissingNodeFacts,
  tools: RepairAttempt,
): Promise<RepairKept | undefined> {
  const { look, attempt } = tools;
  for (const { key, affinity } of blocksOf(look.state, facts)) {
    const owner = ownerOfAffinity(affinity);
    if (owner === undefined || !isHost(owner) || !facts.hosts.includes(owner.host)) continue;
    const affinityKey = ownRow(look.state, facts, owner);
    const kept = await releaseEmptyClaim(
      { owner, block: key, affinity: affinityKey },
      tools,
      attempt,
    );
    if (kept === 'block-in-use') return refusal('the block is in use again');
    if (kept !== undefined) return harmless('the block has changed its owner in the meantime');
  }
  await deleteRows(facts, tools);
  return undefined;
}

function ownRow(
  state: ClusterState,
  { rows }: MissingNodeFacts,
  owner: { readonly type: string; readonly host: string },
): ResourceKey | undefined {
  return state.affinities.find(
    ({ key, type, host }) => rows.includes(key.name) && isSameOwner({ type, host }, owner),
  )?.key;
}

/** Rows that are left: those of other absent hosts, or without a block of their own. */
async function deleteRows(
  { rows }: MissingNodeFacts,
  { access, writer, attempt }: RepairAttempt,
): Promise<undefined> {
  for (const name of rows) {
    const row = await access.read('BlockAffinity', { name }, attempt);
    if (row !== undefined && !row.deleted) await writer.remove(row, { action: 'delete-affinity' });
  }
  return undefined;
}
