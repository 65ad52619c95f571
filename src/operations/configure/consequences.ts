import { AccessDeniedError } from '../../errors/access-denied-error.ts';
import { DEFAULT_MAX_BLOCKS_PER_HOST, type IpamConfigRow } from '../../ipam/model/ipam-config.ts';
import type { ClusterState } from '../../ipam/state/cluster-state.ts';
import { cidrFamily } from '../../net/cidr.ts';
import type { OperationContext } from '../context.ts';
import { loadClusterState } from '../load-cluster-state.ts';

/** How many nodes a note names. */
const NAMED = 5;

/** Settings that have consequences for what is there. */
export type WeighedSettings = Pick<
  IpamConfigRow,
  'strictAffinity' | 'autoAllocateBlocks' | 'maxBlocksPerHost' | 'ipCooldownSeconds'
>;

/**
 * What a change of settings means for this cluster, in sentences. Blocks are read only when the change has to do with
 * them.
 */
export async function consequencesOf(
  context: OperationContext,
  before: WeighedSettings,
  after: WeighedSettings,
): Promise<readonly string[]> {
  const isStricter = after.strictAffinity && !before.strictAffinity;
  const isCapped = capOf(after) < capOf(before);
  const notes = plainNotes(before, after);
  if (!isStricter && !isCapped) return notes;
  const state = await blocksOf(context);
  if (state === undefined)
    return [...notes, 'Blocks could not be read, so what this means for nodes is not known.'];
  return [
    ...notes,
    ...(isStricter ? borrowedNotes(state) : []),
    ...(isCapped ? capNotes(state, capOf(after)) : []),
  ];
}

function plainNotes(before: WeighedSettings, after: WeighedSettings): readonly string[] {
  const notes: string[] = [];
  if (before.strictAffinity && !after.strictAffinity)
    notes.push('Nodes without a free address may borrow from blocks of other nodes from now on.');
  if (before.autoAllocateBlocks && !after.autoAllocateBlocks)
    notes.push(
      'Nodes claim no new blocks from now on: one whose blocks are full gets no addresses.',
    );
  if (after.ipCooldownSeconds < before.ipCooldownSeconds)
    notes.push(
      'Addresses that are cooling now become free as soon as the shorter time has passed.',
    );
  return notes;
}

function capOf({ maxBlocksPerHost }: WeighedSettings): number {
  return maxBlocksPerHost === 0 ? DEFAULT_MAX_BLOCKS_PER_HOST : maxBlocksPerHost;
}

/** Blocks and their allocations; undefined when they may not be read, or are not there. */
async function blocksOf(context: OperationContext): Promise<ClusterState | undefined> {
  try {
    const state = await loadClusterState(context, { kinds: ['IPAMBlock'] });
    return state.isLoaded('IPAMBlock') ? state : undefined;
  } catch (error) {
    if (error instanceof AccessDeniedError) return undefined;
    throw error;
  }
}

function borrowedNotes(state: ClusterState): readonly string[] {
  let count = 0;
  for (const { borrowed, cooling } of state.allocations()) if (borrowed && !cooling) count++;
  if (count === 0) return ['No address is borrowed now.'];
  return [
    `Borrowed now: ${count}. Such addresses stay where they are until their owners end, and no new one is given. See ipamctl ipam show --show-borrowed.`,
  ];
}

function capNotes(state: ClusterState, cap: number): readonly string[] {
  const counts = new Map<string, Map<4 | 6, number>>();
  for (const { node, cidr } of state.blocks) {
    if (node === undefined) continue;
    const family = cidrFamily(cidr);
    const ofNode = counts.get(node) ?? new Map<4 | 6, number>();
    counts.set(node, ofNode.set(family, (ofNode.get(family) ?? 0) + 1));
  }
  const above = [...counts]
    .map(([node, byFamily]) => ({ node, most: Math.max(...byFamily.values()) }))
    .filter(({ most }) => most > cap)
    .sort((a, b) => b.most - a.most || (a.node < b.node ? -1 : 1));
  if (above.length === 0) return [`No node holds more than ${cap} blocks of one IP version now.`];
  const names = above.slice(0, NAMED).map(({ node, most }) => `${node} (${most})`);
  const rest = above.length > NAMED ? ` and ${above.length - NAMED} more` : '';
  return [
    `Nodes with more than ${cap} blocks of one IP version now: ${names.join(', ')}${rest}. They keep them, and claim no further ones.`,
  ];
}
