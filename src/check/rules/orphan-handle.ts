import { isYoungRow } from '../../ipam/accounting/liveness.ts';
import type { ClusterState, Handle } from '../../ipam/state/cluster-state.ts';
import { type Cidr, formatCidr, parseCidr } from '../../net/cidr.ts';
import { formatTime } from '../../support/time.ts';
import { unreadableBlocks } from '../claims.ts';
import type { RuleFinding } from '../finding.ts';
import { blockReferencesOf, distinct } from '../rests-on.ts';
import { type RowReference, type RuleContext, rule } from '../rule.ts';
import { LOOK_AGAIN, counted, listed, quoted } from '../wording.ts';

type OrphanFacts = {
  readonly handle: string;
  /** Names of its rows. */
  readonly rows: readonly string[];
  /** What the rows claim to hold. */
  readonly counts: readonly { readonly block: string; readonly count: number }[];
  /** RFC 3339, of the youngest row; absent where no time is kept. */
  readonly createdAt?: string | undefined;
  /** Younger than the minimum age. */
  readonly young: boolean;
  /** A damaged block that it counts: what a slot holds that cannot be read may be its own. */
  readonly damagedBlock?: string | undefined;
};

/** A handle without any allocation. */
export const orphanHandle = rule<OrphanFacts>({
  code: 'orphan-handle',
  severity: 'error',
  needs: ['IPAMBlock', 'IPAMHandle'],
  title: 'A handle without allocations',
  why: 'A handle row exists, but no allocation refers to it: a release was interrupted, or wrote the block and not the handle. It holds no address; many of them slow the datastore down.',
  remedy:
    'Delete them with `ipamctl ipam repair --only orphan-handle`, or together with leaked addresses by `ipamctl ipam release --from-report REPORT`.',
  *evaluate(state, context) {
    const isUnreadable = unreadableBlocks(state);
    for (const handle of state.handles()) {
      if (state.isReferred(handle.handleId)) continue;
      const rows = state.handlesOf(handle.handleId);
      const isFirst = rows[0] === undefined || rows[0].key.name === handle.key.name;
      if (isFirst && !mayBeHidden(rows, isUnreadable))
        yield findingOf(state, rows.length > 0 ? rows : [handle], context);
    }
  },
  reason: ({ handle, counts, createdAt, young, damagedBlock }) => {
    const claims = counts.map(
      ({ block, count }) => `${counted(count, 'address', 'addresses')} in ${block}`,
    );
    const counting = claims.length > 0 ? `, although it counts ${listed(claims)}` : '';
    const age =
      young && createdAt !== undefined
        ? ` It was made only at ${createdAt}, so an assignment may be under way.`
        : '';
    const damage =
      damagedBlock === undefined
        ? ''
        : ` Block ${damagedBlock} is damaged, and may hold for it what cannot be read.`;
    return `No allocation refers to handle ${quoted(handle)}${counting}.${age}${damage}`;
  },
  remedyFor: ({ young, damagedBlock }) => {
    if (damagedBlock !== undefined)
      return `Mend block ${damagedBlock} first (see invalid-block), then look again.`;
    return young
      ? `Look again in a few minutes; \`ipamctl ipam repair --only orphan-handle\` leaves it alone until then. ${LOOK_AGAIN}`
      : `Delete the row with \`ipamctl ipam repair --only orphan-handle\`; no address is touched. ${LOOK_AGAIN}`;
  },
  restsOn: ({ facts }, state) => referencesOf(facts, state),
});

/** Whether a block that the handle counts is there but cannot be read: it may hold the allocations. */
function mayBeHidden(rows: readonly Handle[], isUnreadable: (cidr: Cidr) => boolean): boolean {
  return rows.some(({ counts }) =>
    counts.some(({ cidr }) => cidr !== undefined && isUnreadable(cidr)),
  );
}

/** The first block that a row counts and that has defects. */
function damagedBlockOf(state: ClusterState, rows: readonly Handle[]): string | undefined {
  const cidrs = rows.flatMap(({ counts }) => counts.flatMap(({ cidr }) => cidr ?? []));
  const damaged = cidrs.find((cidr) =>
    state.blocksOf(cidr).some(({ defects }) => defects.length > 0),
  );
  return damaged && formatCidr(damaged);
}

function findingOf(
  state: ClusterState,
  rows: readonly Handle[],
  context: RuleContext,
): RuleFinding<OrphanFacts> {
  const [first] = rows;
  const { handleId = '', key = { name: '' } } = first ?? {};
  const damagedBlock = damagedBlockOf(state, rows);
  const times = rows.map((row) => row.createdAt).filter((time) => time !== undefined);
  const youngest = times.length > 0 ? Math.max(...times) : undefined;
  const young = isYoungRow(youngest, context);
  return {
    subject: { kind: 'IPAMHandle', name: key.name, handle: handleId },
    facts: {
      handle: handleId,
      rows: rows.map((row) => row.key.name),
      counts: rows.flatMap(({ counts }) =>
        counts.map(({ text, count }) => ({ block: text, count })),
      ),
      createdAt: youngest === undefined ? undefined : formatTime(youngest),
      young,
      damagedBlock,
    },
    releasable: !young && damagedBlock === undefined,
  };
}

/** The rows themselves and the blocks that they count: an assignment writes the handle first, then such a block. */
function referencesOf(facts: OrphanFacts, state: ClusterState): readonly RowReference[] {
  const rows = facts.rows.map((name): RowReference => ({ kind: 'IPAMHandle', key: { name } }));
  const blocks = facts.counts.flatMap(({ block }) => {
    const cidr = parseCidr(block);
    return cidr === undefined ? [] : blockReferencesOf(state, cidr);
  });
  return distinct([...rows, ...blocks]);
}
