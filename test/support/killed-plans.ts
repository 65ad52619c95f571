/** Plans of the commands that are killed on {@link ROWS}. */
import { readReport } from '../../src/check/read-report.ts';
import { planRelease } from '../../src/operations/release-addresses.ts';
import { planRepair } from '../../src/operations/repair-findings.ts';
import { planRestore } from '../../src/operations/restore-recorded.ts';
import { runCheck } from '../../src/operations/run-check.ts';
import { stringifyJson } from '../../src/support/json.ts';
import { type Plan, ROWS } from './killed-runs.ts';
import { RowDatastore } from './row-datastore.ts';
import { contextOf } from './scripted-datastore.ts';
import { UndoMemory } from './undo-memory.ts';
import { CHECK_OPTIONS } from './writing-runs.ts';

/** `ipam release` of what a report of the untouched rows names. */
export const releaseReported: Plan = async (context, history) => {
  const first = contextOf(new RowDatastore(ROWS));
  const { report } = await runCheck(first, { ...CHECK_OPTIONS, report: true });
  return planRelease(context, {
    selector: { by: 'reports', reports: [readReport(stringifyJson(report), 'report.json')] },
    minAgeMs: 300_000,
    isForced: false,
    isMismatchAllowed: false,
    history,
  });
};

/** `ipam repair` of everything. */
export const repairAll: Plan = (context, history) =>
  planRepair(context, {
    only: [],
    reports: [],
    minAgeMs: 300_000,
    isMismatchAllowed: false,
    history,
  });

/** `ipam restore` of an undo file with this text. */
export const restoring =
  (text: string): Plan =>
  (context, history) =>
    planRestore(context, {
      recorded: new UndoMemory(text).read(),
      name: 'undo.jsonl',
      isMismatchAllowed: false,
      history,
    });
