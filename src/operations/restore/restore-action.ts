import type { WritableRow } from '../../datastore/datastore.ts';
import type { PlanAction } from '../../ipam/plan.ts';
import type { RecordedWrite } from '../undo/undo-log.ts';

/** What taking a write back does to its row. */
export function restoreAction({ before, after }: RecordedWrite): PlanAction {
  // Making and taking away the configuration are no actions of their own: the built-in values hold without it.
  if ((before ?? after)?.kind === 'IPAMConfig') return 'set-configuration';
  if (before === undefined) return deletion(after);
  if (after === undefined) return creation(before);
  switch (before.kind) {
    case 'IPAMHandle':
      return 'set-handle-count';
    case 'BlockAffinity':
      return before.state === 'confirmed' || before.state === ''
        ? 'confirm-affinity'
        : 'create-affinity';
    case 'IPPool':
      return before.disabled ? 'disable-pool' : 'enable-pool';
    default:
      return 'restore-address';
  }
}

function creation(row: WritableRow): PlanAction {
  if (row.kind === 'IPAMHandle') return 'create-handle';
  if (row.kind === 'BlockAffinity') return 'create-affinity';
  return row.kind === 'IPPool' ? 'create-pool' : 'create-object';
}

function deletion(row: WritableRow | undefined): PlanAction {
  if (row?.kind === 'IPAMHandle') return 'delete-handle';
  if (row?.kind === 'BlockAffinity') return 'delete-affinity';
  return row?.kind === 'IPPool' ? 'delete-pool' : 'delete-block';
}
