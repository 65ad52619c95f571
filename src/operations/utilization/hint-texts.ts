import {
  blockLimitOf,
  isAffinityStrict,
  type NodeHint,
  nodeHints,
  type PoolHint,
  poolHints,
} from '../../ipam/accounting/hints.ts';
import { freeOf } from '../../ipam/accounting/counts.ts';
import type { Usage } from '../../ipam/accounting/usage.ts';
import type { ClusterState } from '../../ipam/state/cluster-state.ts';
import type { Hint } from '../documents/utilization-document.ts';

/** Nodes that get a hint of their own per code; of more only their number is told. */
const NODES_NAMED = 10;

/** The hints of a state with their texts: the lock, since nothing else helps while it holds, then pools, then nodes. */
export function hintsOf(state: ClusterState, usage: Usage): readonly Hint[] {
  const isStrict = isAffinityStrict(state);
  const pools = [...poolHints(state, usage)].map((hint) => poolHint(hint, isStrict));
  const nodes = nodeHints(state, usage);
  const limit = blockLimitOf(state) ?? 0;
  // Nodes with the least room come first, because only some are named.
  const limited = nodes
    .filter(({ code }) => code === 'block-limit-reached')
    .sort((a, b) => (a.free < b.free ? -1 : a.free > b.free ? 1 : 0));
  const leftOut = nodes.filter(({ code }) => code === 'no-block-under-strict-affinity');
  return [
    ...lockHints(state),
    ...pools,
    ...named(
      leftOut,
      (hint) =>
        `Node ${hint.node} has no IPv${hint.family} block and can get none: every block of every pool that serves it is claimed, and strict affinity keeps it from borrowing.`,
    ),
    ...named(limited, (hint) => limitText(hint, limit, isStrict)),
  ];
}

function lockHints({ clusterInformation }: ClusterState): readonly Hint[] {
  if (clusterInformation?.datastoreReady !== false) return [];
  return [
    {
      code: 'datastore-locked',
      message:
        'The datastore is locked: Calico gives out no address on any node until it is unlocked. `ipamctl datastore migrate status` says who locked it.',
    },
  ];
}

function poolHint(
  { code, usage: { pool, counts } }: PoolHint,
  isStrict: boolean | undefined,
): Hint {
  const { name } = pool.key;
  const free = freeOf(counts);
  switch (code) {
    case 'disabled-pool-in-use':
      return {
        code,
        pool: name,
        message: `Pool ${name} is disabled, and addresses of it are still in use: ${counts.inUse}.`,
      };
    case 'one-node-pool':
      return {
        code,
        pool: name,
        message: `Pool ${name} has one block and affinity is strict: only the node that owns the block can use the pool.`,
      };
    default:
      return {
        code,
        pool: name,
        message: claimedText(name, counts.totalBlocks, { free, isStrict }),
      };
  }
}

function claimedText(
  pool: string,
  blocks: bigint,
  { free, isStrict }: { readonly free: bigint; readonly isStrict: boolean | undefined },
): string {
  const claimed =
    blocks === 1n
      ? `The only block of pool ${pool} is claimed`
      : `All ${blocks} blocks of pool ${pool} are claimed`;
  if (isStrict === undefined) return `${claimed}: a node without a block there cannot claim one.`;
  return isStrict
    ? `${claimed}: its ${free} free addresses serve only the nodes that own a block there, because affinity is strict.`
    : `${claimed}: a node without a block there can only borrow from its ${free} free addresses.`;
}

function limitText(hint: NodeHint, limit: number, isStrict: boolean | undefined): string {
  const beyond = isStrict ? 'no address beyond them' : 'only borrowed addresses beyond them';
  return `Node ${hint.node} is at the limit of IPv${hint.family} blocks (it owns ${hint.blocks} of ${limit}), with free addresses in them: ${hint.free}; it gets ${beyond}.`;
}

function named(hints: readonly NodeHint[], textOf: (hint: NodeHint) => string): readonly Hint[] {
  const shown: Hint[] = hints
    .slice(0, NODES_NAMED)
    .map((hint) => ({ code: hint.code, node: hint.node, message: textOf(hint) }));
  const [first] = hints;
  const more = hints.length - shown.length;
  if (first && more > 0)
    shown.push({ code: first.code, message: `The same holds for ${more} more nodes.` });
  return shown;
}
