import { isYoungRow } from '../../ipam/accounting/liveness.ts';
import type { Affinity } from '../../ipam/state/cluster-state.ts';
import { formatCidr, parseCidr } from '../../net/cidr.ts';
import {
  affinitiesByAddress,
  affinitySubject,
  blockOwnerText,
  claimReferences,
  hostText,
  unreadableBlocks,
} from '../claims.ts';
import { type RuleContext, rule } from '../rule.ts';
import { LOOK_AGAIN } from '../wording.ts';

type StrayFacts = {
  readonly row: string;
  readonly block: string;
  readonly type: string;
  readonly host: string;
  /** `confirmed`, `pending`, `pendingDeletion`. */
  readonly state: string;
};

/** An affinity row whose block does not exist. */
export const affinityWithoutBlock = rule<StrayFacts>({
  code: 'affinity-without-block',
  severity: 'error',
  needs: ['IPAMBlock', 'BlockAffinity'],
  title: 'An affinity without block',
  why: 'An owner claims a block that does not exist: a release or a claim was interrupted between block and row. The row keeps the range from other nodes, counts against the limit of blocks per host, and may keep a route alive.',
  remedy: 'Delete the row with `ipamctl ipam repair --only affinity-without-block`.',
  *evaluate(state, context) {
    const isUnreadable = unreadableBlocks(state);
    for (const row of affinitiesByAddress(state)) {
      if (isClaimUnderWay(row, context) || isUnreadable(row.cidr)) continue;
      if (state.blocksOf(row.cidr).length > 0) continue;
      const { key, cidr, type, host } = row;
      yield {
        subject: affinitySubject(row),
        facts: {
          row: key.name,
          block: formatCidr(cidr),
          type,
          host,
          state: row.state || 'confirmed',
        },
      };
    }
  },
  reason: ({ row, block, type, host, state }) =>
    `Row ${hostText(row)} (${state}) says that ${blockOwnerText({ type, host })} owns block ${block}, but no such block exists.`,
  remedyFor: () =>
    `Delete the row with \`ipamctl ipam repair --only affinity-without-block\`; it is kept while a live workload of its node has an address in the range. ${LOOK_AGAIN}`,
  restsOn: ({ facts: { block, type, host } }, state) => {
    const cidr = parseCidr(block);
    return cidr === undefined ? [] : claimReferences(state, cidr, [{ type, host }]);
  },
});

/** The row of a claim comes before the block. */
function isClaimUnderWay(row: Affinity, context: RuleContext): boolean {
  return row.state === 'pending' && isYoungRow(row.createdAt, context);
}
