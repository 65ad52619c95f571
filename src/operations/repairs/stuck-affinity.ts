import { parseCidr } from '../../net/cidr.ts';
import { confirmClaim } from '../confirm-claim.ts';
import { releaseEmptyClaim } from '../release-empty-claim.ts';
import {
  already,
  harmless,
  type RepairAttempt,
  type RepairKept,
  refusal,
  repair,
} from './repair.ts';

interface StuckFacts {
  readonly row: string;
  readonly block: string;
  readonly type: string;
  readonly host: string;
  readonly state: 'pending' | 'pendingDeletion';
  readonly ownsBlock: boolean;
  readonly inUse: number;
}

/** Finishes a claim, or the release of an empty block, that was never ended. */
export const stuckAffinity = repair<StuckFacts>({
  code: 'stuck-affinity',
  action: ({ facts }) => (isRelease(facts) ? 'delete-block' : 'confirm-affinity'),
  precondition: "still unfinished, and the block its owner's",
  keyOf: ({ facts }) => `block ${facts.block}`,
  keep({ facts }, { codes }) {
    if (facts.ownsBlock) return undefined;
    const reason = 'the block belongs to another: that is conflicting-affinity';
    return codes.has('conflicting-affinity') ? harmless(reason) : refusal(reason);
  },
  async apply({ facts }, tools) {
    const { access, attempt } = tools;
    const row = await access.read('BlockAffinity', { name: facts.row }, attempt);
    if (row === undefined || row.deleted) return already('the row is gone');
    if (row.state !== 'pending' && row.state !== 'pendingDeletion')
      return already('it is confirmed');
    return isRelease(facts) ? finishRelease(facts, tools) : finishClaim(facts, tools);
  },
});

/** A block that is in use again is kept, and its row confirmed. */
function isRelease({ state, inUse }: StuckFacts): boolean {
  return state === 'pendingDeletion' && inUse === 0;
}

async function finishRelease(
  facts: StuckFacts,
  tools: RepairAttempt,
): Promise<RepairKept | undefined> {
  const kept = await releaseEmptyClaim(
    { owner: facts, block: blockKey(facts, tools), affinity: { name: facts.row } },
    tools,
    tools.attempt,
  );
  if (kept === undefined) return undefined;
  return kept === 'block-in-use'
    ? harmless('the block is in use again')
    : refusal('the block belongs to another');
}

async function finishClaim(
  facts: StuckFacts,
  tools: RepairAttempt,
): Promise<RepairKept | undefined> {
  const row = await tools.access.read('BlockAffinity', { name: facts.row }, tools.attempt);
  const key = blockKey(facts, tools);
  if (row === undefined || key === undefined) return already('the row is gone');
  return (await confirmClaim(row, key, tools))
    ? undefined
    : refusal('the block belongs to another');
}

function blockKey({ block }: StuckFacts, { look }: RepairAttempt) {
  const cidr = parseCidr(block);
  return cidr && look.state.blocksOf(cidr)[0]?.key;
}
