import type { Finding } from '../../check/finding.ts';
import { isSameOwner, ownerOfAffinity } from '../../ipam/block-owner.ts';
import type { PlanItem } from '../../ipam/plan.ts';
import type { ClusterState } from '../../ipam/state/cluster-state.ts';
import { formatCidr } from '../../net/cidr.ts';
import type { UndoHistory } from '../undo/undo-log.ts';
import type { RepairTask } from './apply-repairs.ts';
import { blockWithoutAffinity } from './block-without-affinity.ts';

/**
 * Claims that an interrupted run has begun and not confirmed: the row is there, so no rule sees them until they are old
 * enough to be stuck.
 */
export function unfinishedClaims(
  history: UndoHistory | undefined,
  state: ClusterState,
): readonly RepairTask[] {
  const tasks = new Map<string, RepairTask>();
  for (const { after } of history?.writes ?? []) {
    if (after?.kind !== 'BlockAffinity' || after.state !== 'pending') continue;
    const row = state.affinities.find(({ key }) => key.name === after.key.name);
    if (row?.state !== 'pending' || !isSameOwner(row, after)) continue;
    const block = state.blocksOf(row.cidr).find(({ affinity }) => {
      const owner = ownerOfAffinity(affinity);
      return owner !== undefined && isSameOwner(owner, row);
    });
    if (block) tasks.set(row.key.name, taskOf(row, block.key.name));
  }
  return [...tasks.values()];
}

function taskOf(row: ClusterState['affinities'][number], block: string): RepairTask {
  const cidr = formatCidr(row.cidr);
  const reason = 'an interrupted run has made its row and not confirmed it';
  const item: PlanItem = {
    action: 'confirm-affinity',
    subject: { kind: 'BlockAffinity', name: row.key.name, cidr, node: row.host },
    code: blockWithoutAffinity.code,
    precondition: blockWithoutAffinity.precondition,
    reason,
  };
  const finding: Finding = {
    code: blockWithoutAffinity.code,
    severity: 'error',
    subject: { kind: 'IPAMBlock', name: block, cidr },
    facts: { block: cidr, type: row.type, host: row.host },
    reason,
    remedy: '',
    releasable: false,
  };
  return { repair: blockWithoutAffinity, finding, item };
}
