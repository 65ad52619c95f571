import { counted } from '../../check/wording.ts';
import { isYoungRow, type JudgementContext } from '../../ipam/accounting/liveness.ts';
import type { ResourceKey, Revision } from '../../ipam/model/resource.ts';
import type { KeptAs, PlanItem } from '../../ipam/plan.ts';
import type { Handle } from '../../ipam/state/cluster-state.ts';

/** A handle row without addresses that is to be deleted as it is. */
export interface HandleUnit {
  readonly item: PlanItem;
  readonly key: ResourceKey;
  readonly revision: Revision | undefined;
  readonly uid: string | undefined;
}

/** Plans the deletion of a handle row that no address refers to. */
export function deleteHandleUnit({ key, revision, uid, handleId, counts }: Handle): HandleUnit {
  const claims = counts.reduce((sum, { count }) => sum + count, 0);
  return {
    item: {
      action: 'delete-handle',
      subject: { kind: 'IPAMHandle', name: key.name, handle: handleId },
      precondition: `unchanged since it was read (revision ${revision ?? 'unknown'})`,
      reason: `no allocation refers to it, although it counts ${counted(claims, 'address', 'addresses')}`,
    },
    key,
    revision,
    uid,
  };
}

/** Item of a handle row that stays. */
export function keptHandle(
  handle: Pick<Handle, 'key' | 'handleId'>,
  kept: KeptAs,
  reason: string,
): PlanItem {
  return {
    action: 'delete-handle',
    subject: { kind: 'IPAMHandle', name: handle.key.name, handle: handle.handleId },
    precondition: '',
    reason,
    kept,
  };
}

/** Whether an assignment may have made the row just now, and not yet written its block. */
export function isYoungHandle({ createdAt }: Handle, context: JudgementContext): boolean {
  return isYoungRow(createdAt, context);
}
