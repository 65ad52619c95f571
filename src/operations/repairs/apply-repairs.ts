import type { Finding } from '../../check/finding.ts';
import { UnavailableError } from '../../errors/unavailable-error.ts';
import type { PlanItem } from '../../ipam/plan.ts';
import { mapLimit } from '../../support/map-limit.ts';
import type { ItemLedger } from '../item-ledger.ts';
import { withRetries } from '../with-retries.ts';
import type { Repair, RepairKept, RepairTools } from './repair.ts';

/** Blocks and handles that are repaired at a time. */
const IN_FLIGHT = 16;

/** A finding, its remedy and its item. */
export interface RepairTask {
  readonly repair: Repair;
  readonly finding: Finding;
  readonly item: PlanItem;
}

/**
 * Carries out repairs: those of one block or handle one after another, each judged by rows that the one before has left.
 */
export async function applyRepairs(
  tasks: readonly RepairTask[],
  tools: RepairTools & { readonly ledger: ItemLedger },
): Promise<void> {
  const groups = Map.groupBy(tasks, ({ repair, finding }) => repair.keyOf(finding));
  const options = { limit: IN_FLIGHT, signal: tools.context.signal };
  await mapLimit(groups.values(), options, async (group) => {
    const byCode = Map.groupBy(group, ({ repair }) => repair.code);
    for (const [, same] of byCode) await applyOne(same, tools);
  });
}

/** Findings of one code about one thing: what one remedies is right for all when the remedy is of the whole row. */
async function applyOne(
  tasks: readonly RepairTask[],
  tools: RepairTools & { readonly ledger: ItemLedger },
): Promise<void> {
  let isAnyApplied = false;
  for (const { repair, finding, item } of tasks) {
    try {
      const kept = await withRetries(tools.context, (attempt) =>
        repair.apply(finding, { ...tools, attempt }),
      );
      const end = endOf(kept, isAnyApplied);
      if (end === undefined) tools.ledger.applied(item);
      else tools.ledger.kept(item, end.end, end.reason);
      isAnyApplied ||= end === undefined;
    } catch (error) {
      if (tools.context.signal.aborted || error instanceof UnavailableError) throw error;
      tools.ledger.failed(item, error);
    }
  }
}

/** "Already so" thanks to the item before it is applied too. */
function endOf(kept: RepairKept | undefined, isAnyApplied: boolean): RepairKept | undefined {
  return kept?.end === 'already' && isAnyApplied ? undefined : kept;
}
