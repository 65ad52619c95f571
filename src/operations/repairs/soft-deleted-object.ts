import type { PlanSubject } from '../../ipam/plan.ts';
import { isSameOwner, ownerOfAffinity } from '../../ipam/block-owner.ts';
import { comparableHandleId } from '../../ipam/handle-id.ts';
import type { ClusterState } from '../../ipam/state/cluster-state.ts';
import { cidrsEqual } from '../../net/cidr.ts';
import type { ClaimKind, RowOf } from '../row-access.ts';
import { already, harmless, type RepairKept, refusal, repair } from './repair.ts';

interface DeletedFacts {
  readonly block?: string | undefined;
}

const KINDS: readonly string[] = ['IPAMBlock', 'IPAMHandle', 'BlockAffinity'];

/** Removes a row that was marked deleted and left behind. */
export const softDeletedObject = repair<DeletedFacts>({
  code: 'soft-deleted-object',
  action: 'purge-deleted',
  precondition: 'still marked deleted, and its block holds no address',
  keyOf: ({ facts, subject }) =>
    facts.block === undefined ? `handle ${subject.name}` : `block ${facts.block}`,
  keep: ({ subject }) =>
    isClaimKind(subject.kind) ? undefined : refusal('rows of its kind are not removed'),
  async apply({ subject }, { look, access, writer, attempt }) {
    if (!isClaimKind(subject.kind)) return refusal('rows of its kind are not removed');
    const row = await access.read(subject.kind, { name: subject.name }, attempt);
    if (row === undefined) return already('it is gone');
    if (!row.deleted) return harmless('it is not marked deleted any more');
    const kept = keptRow(look.state, row);
    if (kept) return kept;
    await writer.remove(row, { action: 'purge-deleted' });
    return undefined;
  },
});

function isClaimKind(kind: PlanSubject['kind']): kind is ClaimKind {
  return KINDS.includes(kind);
}

function keptRow(state: ClusterState, row: RowOf<ClaimKind>): RepairKept | undefined {
  switch (row.kind) {
    case 'IPAMBlock':
      return row.allocations.some((index) => index !== null)
        ? refusal('it still holds an address')
        : undefined;
    case 'IPAMHandle': {
      const id = comparableHandleId(row.id);
      const isHeld = state.allocationsOf(id).some(({ cooling }) => !cooling);
      return isHeld
        ? refusal('a block still holds an address of it; missing-handle makes the row anew')
        : undefined;
    }
    case 'BlockAffinity': {
      const isOwn = (affinity: string | undefined): boolean => {
        const owner = ownerOfAffinity(affinity);
        return owner !== undefined && isSameOwner(owner, row);
      };
      const block = state
        .blocksOf(row.cidr)
        .find(({ cidr, affinity }) => cidrsEqual(cidr, row.cidr) && isOwn(affinity));
      return block !== undefined && block.inUse > 0
        ? refusal('its block still holds an address')
        : undefined;
    }
  }
}
