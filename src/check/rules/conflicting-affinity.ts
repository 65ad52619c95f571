import { type BlockOwner, isSameOwner, ownerOfAffinity } from '../../ipam/block-owner.ts';
import { isYoungRow } from '../../ipam/accounting/liveness.ts';
import type { RowKeys } from '../../ipam/model/row-keys.ts';
import type { Affinity, Block, ClusterState } from '../../ipam/state/cluster-state.ts';
import { cidrsEqual, formatCidr, parseCidr } from '../../net/cidr.ts';
import {
  affinitiesByAddress,
  affinitySubject,
  blockOwnerText,
  claimReferences,
  hostText,
  unreadableBlocks,
} from '../claims.ts';
import type { RuleFinding } from '../finding.ts';
import { type RuleContext, rule } from '../rule.ts';
import { LOOK_AGAIN, counted } from '../wording.ts';

type ConflictFacts = {
  readonly row: string;
  readonly block: string;
  readonly type: string;
  readonly host: string;
  /** `confirmed`, `pending`, `pendingDeletion`. */
  readonly state: string;
  /** What the row contradicts: the block, or another row that claims the same block. */
  readonly contradicts: 'block' | 'row';
  readonly blockExists: boolean;
  /** Affinity text of the block; absent when it has no owner or is not there. */
  readonly owner?: string | undefined;
  /** Name of the row that has the better claim, where it is not the block that decides. */
  readonly otherRow?: string | undefined;
  /** Addresses in use in the block, cooling ones included. */
  readonly inUse: number;
  /** Younger than the minimum age: a claim that lost its race may still take its row back. */
  readonly young: boolean;
};

/** An affinity row that contradicts the owner of its block, or a second row that claims it. */
export const conflictingAffinity = rule<ConflictFacts>({
  code: 'conflicting-affinity',
  severity: 'error',
  needs: ['IPAMBlock', 'BlockAffinity'],
  title: 'Two owners of one block',
  why: 'An affinity row says another owner than the block itself, or two rows claim one block. Both owners may announce its route, and the one without the block cannot use what it counts as its own.',
  remedy:
    'Delete the row that contradicts the block with `ipamctl ipam repair --only conflicting-affinity`.',
  *evaluate(state, context) {
    const isUnreadable = unreadableBlocks(state);
    let group: Affinity[] = [];
    for (const row of affinitiesByAddress(state)) {
      // The block says who is right: while it cannot be read, nobody is wrong.
      if (isUnreadable(row.cidr)) continue;
      if (group[0] !== undefined && !cidrsEqual(group[0].cidr, row.cidr)) {
        yield* conflictsAmong(state, group, context);
        group = [];
      }
      group.push(row);
    }
    yield* conflictsAmong(state, group, context);
  },
  reason: (facts) => {
    const claim = `Row ${hostText(facts.row)} (${facts.state}) says that ${blockOwnerText(facts)} owns block ${facts.block}`;
    if (facts.contradicts === 'row') {
      return `${claim}, which row ${hostText(facts.otherRow ?? '')} claims too${facts.blockExists ? '' : '; no such block exists'}.`;
    }
    return `${claim}, but the block ${facts.owner === undefined ? 'has no owner' : `belongs to ${ownerText(facts.owner)}`}.`;
  },
  remedyFor: ({ contradicts, blockExists, owner, inUse, young }) => {
    if (young)
      return `Look again in a few minutes: a claim that lost against another takes its row back. ${LOOK_AGAIN}`;
    if (!blockExists)
      return `Delete the rows with \`ipamctl ipam repair --only affinity-without-block\`. ${LOOK_AGAIN}`;
    if (contradicts === 'block' && owner === undefined && inUse > 0) {
      return `Leave the row while the block holds its ${counted(inUse, 'address', 'addresses')}. Once they are released the block goes with the last of them, and \`ipamctl ipam repair --only affinity-without-block\` deletes the row. ${LOOK_AGAIN}`;
    }
    return `Delete the row with \`ipamctl ipam repair --only conflicting-affinity\`; the block stays with its owner. ${LOOK_AGAIN}`;
  },
  restsOn: ({ facts: { block, type, host } }, state) => {
    const cidr = parseCidr(block);
    return cidr === undefined ? [] : claimReferences(state, cidr, [{ type, host }]);
  },
});

/** Conflicts among the rows of one prefix: each row that is not the owner's, or that comes second. */
function* conflictsAmong(
  state: ClusterState,
  rows: readonly Affinity[],
  context: RuleContext,
): Iterable<RuleFinding<ConflictFacts>> {
  const [first] = rows;
  if (first === undefined) return;
  const blocks = state.blocksOf(first.cidr);
  const isOwners = (row: Affinity) => blocks.some((block) => owns(row, block));
  const rightful = blocks.length === 0 ? rows : rows.filter(isOwners);
  for (const row of rows) {
    const isRightful = rightful.includes(row);
    const other = isRightful ? betterClaim(row, rightful, state) : undefined;
    if (isRightful && other === undefined) continue;
    yield findingOf(row, { block: blocks[0], other, young: isYoungRow(row.createdAt, context) });
  }
}

function owns(row: Affinity, block: Block): boolean {
  const owner = ownerOfAffinity(block.affinity);
  return owner !== undefined && isSameOwner(row, owner);
}

/** The row, among those that no block contradicts, that comes before this one; of blocks of one prefix each may have its owner. */
function betterClaim(
  row: Affinity,
  rows: readonly Affinity[],
  state: ClusterState,
): Affinity | undefined {
  const isUnclaimed = state.blocksOf(row.cidr).length === 0;
  const rivals = isUnclaimed ? rows : rows.filter((other) => isSameOwner(row, other));
  const [best] = [...rivals].sort((a, b) => compareClaims(a, b, state.keys));
  return best === row ? undefined : best;
}

/** Confirmed rows first, then those of the right name, then the older ones; then as they stand, by name. */
function compareClaims(a: Affinity, b: Affinity, keys: RowKeys): number {
  return (
    Number(isConfirmed(b)) - Number(isConfirmed(a)) ||
    Number(hasOwnName(b, keys)) - Number(hasOwnName(a, keys)) ||
    (a.createdAt ?? 0) - (b.createdAt ?? 0)
  );
}

function isConfirmed(row: Affinity): boolean {
  return row.state === 'confirmed' || row.state === '';
}

function hasOwnName(row: Affinity, keys: RowKeys): boolean {
  return row.key.name === keys.affinity(row, row.cidr).name;
}

function findingOf(
  row: Affinity,
  {
    block,
    other,
    young,
  }: { block: Block | undefined; other: Affinity | undefined; young: boolean },
): RuleFinding<ConflictFacts> {
  return {
    subject: affinitySubject(row),
    facts: {
      row: row.key.name,
      block: formatCidr(row.cidr),
      type: row.type,
      host: row.host,
      state: row.state || 'confirmed',
      contradicts: other === undefined ? 'block' : 'row',
      blockExists: block !== undefined,
      owner: block?.affinity,
      otherRow: other?.key.name,
      inUse: block?.inUse ?? 0,
      young,
    },
  };
}

function ownerText(affinity: string): string {
  const owner: BlockOwner | undefined = ownerOfAffinity(affinity);
  return owner === undefined ? JSON.stringify(affinity) : blockOwnerText(owner);
}
