import type { Allocation, ClusterState, Handle } from '../../ipam/state/cluster-state.ts';
import { type Cidr, cidrsEqual, compareCidrs, formatCidr, parseCidr } from '../../net/cidr.ts';
import { unreadableBlocks } from '../claims.ts';
import type { RuleFinding } from '../finding.ts';
import { blockReferencesOf, distinct, handleReferences } from '../rests-on.ts';
import { type RowReference, rule } from '../rule.ts';
import { LOOK_AGAIN, counted, quoted } from '../wording.ts';

type MismatchFacts = {
  readonly handle: string;
  /** Names of the rows of the handle. */
  readonly rows: readonly string[];
  /** Canonical prefix of the block, or the text of the row when it is no prefix. */
  readonly block: string;
  /** Whether there is such a block. */
  readonly blockExists: boolean;
  /** What the rows count there. */
  readonly recorded: number;
  /** What the block holds for the handle. */
  readonly held: number;
};

/** Recorded and held addresses of a handle in one block. */
interface Tally {
  recorded: number;
  held: number;
}

/** A handle that counts other addresses than the blocks hold. */
export const handleCountMismatch = rule<MismatchFacts>({
  code: 'handle-count-mismatch',
  severity: 'error',
  needs: ['IPAMBlock', 'IPAMHandle'],
  title: 'A handle counts wrongly',
  why: 'A handle row says for each block how many addresses it holds there. With a wrong count Calico keeps a row that it should delete, or deletes one that is still needed, and then addresses leak.',
  remedy:
    'Set the counts to what the blocks hold with `ipamctl ipam repair --only handle-count-mismatch`. It frees nothing.',
  *evaluate(state) {
    const isUnreadable = unreadableBlocks(state);
    for (const handle of state.handles()) {
      const all = state.allocationsOf(handle.handleId);
      if (isSimple(handle, all)) continue;
      const allocations = all.filter(({ cooling }) => !cooling);
      // A handle without any allocation is an orphan and nothing else.
      if (allocations.length === 0) continue;
      const rows = state.handlesOf(handle.handleId);
      if (leaderOf(rows)?.key.name === handle.key.name)
        yield* mismatches(state, { rows, allocations, isUnreadable });
    }
  },
  reason: ({ handle, block, blockExists, recorded, held }) =>
    blockExists
      ? `Handle ${quoted(handle)} counts ${counted(recorded, 'address', 'addresses')} in block ${block}, which holds ${held} for it.`
      : `Handle ${quoted(handle)} counts ${counted(recorded, 'address', 'addresses')} in ${block}, but there is no such block.`,
  remedyFor: () =>
    `Set the count to what the block holds with \`ipamctl ipam repair --only handle-count-mismatch\`; no address is touched. ${LOOK_AGAIN}`,
  restsOn: ({ facts }, state) => referencesOf(facts, state),
});

/**
 * The row under which all rows of an id are judged together. Only a malformed id can share its comparable part with
 * another one, so a malformed row speaks for the rest.
 */
function leaderOf(rows: readonly Handle[]): Handle | undefined {
  return rows.find(({ isCut }) => isCut) ?? rows[0];
}

/** The common case, told apart without a table: a sound id, one block, counted right, and nothing cools. */
function isSimple(handle: Handle, allocations: readonly Allocation[]): boolean {
  if (handle.isCut) return false;
  const { counts } = handle;
  const [only] = counts;
  const cidr = only?.cidr;
  if (counts.length !== 1 || cidr === undefined || only?.count !== allocations.length) return false;
  return allocations.every(({ block, cooling }) => !cooling && cidrsEqual(block.cidr, cidr));
}

function* mismatches(
  state: ClusterState,
  {
    rows,
    allocations,
    isUnreadable,
  }: {
    readonly rows: readonly Handle[];
    readonly allocations: readonly Allocation[];
    readonly isUnreadable: (cidr: Cidr) => boolean;
  },
): Generator<RuleFinding<MismatchFacts>> {
  for (const [block, { recorded, held }] of talliesOf(rows, allocations)) {
    const cidr = parseCidr(block);
    if (recorded === held || (cidr !== undefined && isUnreadable(cidr))) continue;
    const handle = rows[0]?.handleId ?? '';
    yield {
      subject: { kind: 'IPAMHandle', name: rows[0]?.key.name ?? handle, handle, cidr: block },
      facts: {
        handle,
        rows: rows.map(({ key }) => key.name),
        block,
        blockExists: cidr !== undefined && state.blocksOf(cidr).length > 0,
        recorded,
        held,
      },
    };
  }
}

/** By block, prefixes numerically; texts that are no prefix come last. */
function talliesOf(
  rows: readonly Handle[],
  allocations: readonly Allocation[],
): readonly (readonly [string, Tally])[] {
  const tallies = new Map<string, Tally>();
  const tallyOf = (block: string): Tally => {
    const known = tallies.get(block) ?? { recorded: 0, held: 0 };
    tallies.set(block, known);
    return known;
  };
  for (const { text, cidr, count } of rows.flatMap(({ counts }) => counts)) {
    tallyOf(cidr === undefined ? text : formatCidr(cidr)).recorded += count;
  }
  for (const { block } of allocations) tallyOf(formatCidr(block.cidr)).held++;
  return [...tallies].sort(([a], [b]) => compareBlocks(a, b));
}

function compareBlocks(a: string, b: string): number {
  const [first, second] = [parseCidr(a), parseCidr(b)];
  if (first !== undefined && second !== undefined) return compareCidrs(first, second);
  if (first !== undefined || second !== undefined) return first === undefined ? 1 : -1;
  return a < b ? -1 : 1;
}

/** The rows and every block of the handle: without one that holds its addresses it would look like an orphan. */
function referencesOf(facts: MismatchFacts, state: ClusterState): readonly RowReference[] {
  const counted = state
    .handlesOf(facts.handle)
    .flatMap(({ counts }) => counts.map(({ cidr }) => cidr));
  const held = state.allocationsOf(facts.handle).map(({ block }) => block.cidr);
  const blocks = [...counted, ...held].filter((cidr) => cidr !== undefined);
  return distinct([
    ...handleReferences(state, facts.handle),
    ...blocks.flatMap((cidr) => blockReferencesOf(state, cidr)),
  ]);
}
