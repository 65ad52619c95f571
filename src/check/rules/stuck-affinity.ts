import { isSameOwner, ownerOfAffinity } from '../../ipam/block-owner.ts';
import { isYoungRow } from '../../ipam/accounting/liveness.ts';
import type { Affinity, Block } from '../../ipam/state/cluster-state.ts';
import { formatCidr, parseCidr } from '../../net/cidr.ts';
import { formatTime } from '../../support/time.ts';
import {
  affinitiesByAddress,
  affinitySubject,
  blockOwnerText,
  claimReferences,
  hostText,
} from '../claims.ts';
import { type RuleContext, rule } from '../rule.ts';
import { LOOK_AGAIN } from '../wording.ts';

type StuckFacts = {
  readonly row: string;
  readonly block: string;
  readonly type: string;
  readonly host: string;
  readonly state: 'pending' | 'pendingDeletion';
  /** RFC 3339. */
  readonly createdAt: string;
  /** Whether the block belongs to the owner of the row. */
  readonly ownsBlock: boolean;
  /** Addresses in use in the block, cooling ones included. */
  readonly inUse: number;
};

/** A claim or a release of a block that was never finished. */
export const stuckAffinity = rule<StuckFacts>({
  code: 'stuck-affinity',
  severity: 'warning',
  needs: ['IPAMBlock', 'BlockAffinity'],
  title: 'An unfinished claim or release of a block',
  why: "An affinity row is pending, or pending deletion, long after it was made, while its block exists: whoever began the claim or the release did not come to its end. Until then the block is not surely anybody's.",
  remedy: 'Finish it with `ipamctl ipam repair --only stuck-affinity`.',
  *evaluate(state, context) {
    for (const row of affinitiesByAddress(state)) {
      const block = state.blocksOf(row.cidr)[0];
      if (block === undefined) continue;
      const facts = factsOf(row, block, context);
      if (facts !== undefined) yield { subject: affinitySubject(row), facts };
    }
  },
  reason: ({ row, block, type, host, state, createdAt }) =>
    state === 'pending'
      ? `Row ${hostText(row)}, by which ${blockOwnerText({ type, host })} claims block ${block}, was made at ${createdAt} and is still pending, although the block exists.`
      : `Row ${hostText(row)}, made at ${createdAt}, is marked for deletion, but ${blockOwnerText({ type, host })} never finished the release of block ${block}.`,
  remedyFor: ({ state, ownsBlock, inUse }) => {
    if (!ownsBlock) {
      return `The block is not the owner's: delete the row with \`ipamctl ipam repair --only conflicting-affinity\`. ${LOOK_AGAIN}`;
    }
    const end =
      state === 'pendingDeletion' && inUse === 0
        ? 'Finish the release of the empty block'
        : 'Confirm the row';
    return `${end} with \`ipamctl ipam repair --only stuck-affinity\`. ${LOOK_AGAIN}`;
  },
  restsOn: ({ facts: { block, type, host } }, state) => {
    const cidr = parseCidr(block);
    return cidr === undefined ? [] : claimReferences(state, cidr, [{ type, host }]);
  },
});

/** Undefined for a row that is not stuck. Where a datastore keeps no times, nothing is. */
function factsOf(row: Affinity, block: Block, context: RuleContext): StuckFacts | undefined {
  const { state, createdAt, type, host } = row;
  if (state !== 'pending' && state !== 'pendingDeletion') return undefined;
  if (createdAt === undefined || isYoungRow(createdAt, context)) return undefined;
  const owner = ownerOfAffinity(block.affinity);
  return {
    row: row.key.name,
    block: formatCidr(row.cidr),
    type,
    host,
    state,
    createdAt: formatTime(createdAt),
    ownsBlock: owner !== undefined && isSameOwner(row, owner),
    inUse: block.inUse,
  };
}
