import { type BlockOwner, isHost, isSameOwner, ownerOfAffinity } from '../../ipam/block-owner.ts';
import type { AffinityRow } from '../../ipam/model/affinity.ts';
import type { ResourceKey } from '../../ipam/model/resource.ts';
import { type Cidr, parseCidr } from '../../net/cidr.ts';
import { confirmClaim } from '../confirm-claim.ts';
import {
  already,
  harmless,
  type RepairAttempt,
  type RepairKept,
  refusal,
  repair,
} from './repair.ts';

interface UnclaimedFacts {
  readonly block: string;
  readonly type: string;
  readonly host: string;
  readonly nameTakenBy?: string | undefined;
}

/** Makes the affinity row of a block as a claim makes it: pending, the block written unchanged, confirmed. */
export const blockWithoutAffinity = repair<UnclaimedFacts>({
  code: 'block-without-affinity',
  action: 'create-affinity',
  precondition: "still without a row, and the block its owner's",
  keyOf: ({ facts }) => `block ${facts.block}`,
  keep({ facts }, { state }) {
    if (facts.nameTakenBy !== undefined)
      return refusal(`row ${facts.nameTakenBy} of another type has its name`);
    if (!isHost(facts)) return undefined;
    if (!state.isLoaded('Node'))
      return refusal('nodes were not read, so nobody knows whether its owner is one');
    return state.node(facts.host) === undefined
      ? refusal(`its owner ${facts.host} is no node`)
      : undefined;
  },
  async apply({ subject, facts }, tools) {
    const { access, writer, attempt } = tools;
    const cidr = parseCidr(facts.block);
    if (cidr === undefined) return refusal('its block cannot be read');
    const blockKey = { name: subject.name };
    const block = await access.read('IPAMBlock', blockKey, attempt);
    const owner = ownerOfAffinity(block?.affinity);
    if (block === undefined || owner === undefined || !isSameOwner(owner, facts))
      return harmless('the block is gone or of another owner');
    const found = await access.read('BlockAffinity', writer.keys.affinity(owner, cidr));
    const row = found?.deleted === false ? found : undefined;
    return (
      (row && keptRow(row, owner)) ??
      confirm(row ?? (await createRow(owner, cidr, tools)), blockKey, tools)
    );
  },
});

function keptRow(row: AffinityRow, owner: BlockOwner): RepairKept | undefined {
  if (!isSameOwner(row, owner)) return refusal(`row ${row.key.name} of another type has its name`);
  return row.state === 'confirmed' ? already('it has its row') : undefined;
}

function createRow(owner: BlockOwner, cidr: Cidr, { writer }: RepairAttempt): Promise<AffinityRow> {
  const row: AffinityRow = {
    kind: 'BlockAffinity',
    key: writer.keys.affinity(owner, cidr),
    type: owner.type,
    host: owner.host,
    cidr,
    state: 'pending',
    deleted: false,
  };
  return writer.create(row, { action: 'create-affinity' });
}

/** A block that has changed owner in between is not claimed: the row goes back. */
async function confirm(
  row: AffinityRow,
  block: ResourceKey,
  tools: RepairAttempt,
): Promise<RepairKept | undefined> {
  if (await confirmClaim(row, block, tools)) return undefined;
  await tools.writer.remove(row, { action: 'delete-affinity' });
  return harmless('the block has changed its owner in the meantime');
}
