import type { Finding } from '../check/finding.ts';
import { RULES } from '../check/registry.ts';
import type { ReadReport, ReportedFinding } from '../check/read-report.ts';
import type { KeptAs, PlanItem } from '../ipam/plan.ts';
import { stringifyJson } from '../support/json.ts';
import type { OperationContext } from './context.ts';
import { assertSameCluster, assertVersion } from './guards.ts';
import { type Mutation, mutationOf } from './mutation.ts';
import { applyRepairs, type RepairTask } from './repairs/apply-repairs.ts';
import { REPAIRS, repairOf } from './repairs/registry.ts';
import type { Repair, RepairKept, RepairLook } from './repairs/repair.ts';
import { lookForRepairs, type RepairLooks } from './repairs/repair-looks.ts';
import { assertFindings, assertRepairable, type RepairOptions } from './repairs/repair-options.ts';
import { unfinishedClaims } from './repairs/unfinished-claims.ts';
import { RowAccess } from './row-access.ts';

/**
 * Plans the remedy of each repairable finding. No address is released, and no block that holds one leaves its owner.
 * Other findings are listed with the command that helps.
 * @throws {@link UsageError} for a code that cannot be repaired, {@link PreconditionError} for a report of another cluster.
 */
export async function planRepair(
  context: OperationContext,
  options: RepairOptions,
): Promise<Mutation> {
  assertRepairable(options.only);
  assertFindings(options.reports);
  const codes = new Set(options.only.length > 0 ? options.only : RULES.map(({ code }) => code));
  const looks = await lookForRepairs(context, { codes, minAgeMs: options.minAgeMs });
  const { state } = looks.look;
  for (const { clusterGUID, name } of options.reports)
    assertSameCluster(state, clusterGUID, `report ${name}`);
  assertVersion(state, options.isMismatchAllowed);
  const look: RepairLook = { ...looks.look, minAgeMs: options.minAgeMs, codes };
  const unjudged = unjudgedNotes(looks);
  const resumed = unfinishedClaims(options.history, state);
  const tasks = [
    ...resumed,
    ...wanted(looks.findings, options.reports).map((finding) => taskOf(finding, look, looks)),
  ];
  return mutationOf({
    context,
    state,
    command: 'ipam repair',
    items: [...tasks.map(({ item }) => item), ...goneItems(looks.findings, options)],
    notes: unjudged,
    isPartial: unjudged.length > 0,
    history: options.history,
    run: ({ ledger, writer }) => {
      const access = new RowAccess(context, look.kept);
      writer.onWritten = ({ kind, key }) => access.forget(kind, key);
      const due = tasks.flatMap(({ repair, finding, item }) =>
        repair && !item.kept ? { repair, finding, item } : [],
      );
      return applyRepairs(inOrder(due), { context, look, access, writer, ledger });
    },
  });
}

/** A finding with its item, and its repair if there is one. */
interface Task {
  readonly repair: Repair | undefined;
  readonly finding: Finding;
  readonly item: PlanItem;
}

function taskOf(finding: Finding, look: RepairLook, { unsettled }: RepairLooks): Task {
  const repair = repairOf(finding.code);
  if (repair === undefined)
    return {
      repair,
      finding,
      item: itemOf(finding, undefined, {
        end: 'harmless',
        reason: `${finding.reason} ${finding.remedy}`,
      }),
    };
  const kept = unsettled.has(finding) ? UNSETTLED : repair.keep(finding, look);
  return { repair, finding, item: itemOf(finding, repair, kept) };
}

const UNSETTLED: RepairKept = {
  end: 'refusal',
  reason: 'its rows changed between two looks, so somebody may be at work on it',
};

function itemOf(
  finding: Finding,
  repair: Repair | undefined,
  kept: RepairKept | undefined,
): PlanItem {
  const { action } = repair ?? {};
  return {
    action: typeof action === 'function' ? action(finding) : action,
    subject: finding.subject,
    code: finding.code,
    precondition: kept || !repair ? '' : repair.precondition,
    reason: kept?.reason ?? finding.reason,
    kept: kept?.end,
  };
}

/** Findings that every report has too. */
function wanted(findings: readonly Finding[], reports: readonly ReadReport[]): readonly Finding[] {
  if (reports.length === 0) return findings;
  const known = reports.map((report) => new Set(report.findings?.map(textOf)));
  return findings.filter((finding) => known.every((texts) => texts.has(textOf(finding))));
}

/** What the reports list and is not found any more. */
function goneItems(
  findings: readonly Finding[],
  { reports, only }: RepairOptions,
): readonly PlanItem[] {
  const now = new Set(findings.map(textOf));
  const [first, ...others] = reports.map(({ findings: reported = [] }) => reported);
  const sets = others.map((reported) => new Set(reported.map(textOf)));
  return (first ?? []).flatMap((finding) => {
    const repair = repairOf(finding.code);
    const isAsked =
      repair &&
      (only.length === 0 || only.includes(finding.code)) &&
      sets.every((set) => set.has(textOf(finding)));
    if (!isAsked || now.has(textOf(finding))) return [];
    const { code, subject } = finding;
    return {
      subject,
      code,
      precondition: '',
      reason: 'it is not found any more',
      kept: 'already' as KeptAs,
    };
  });
}

/** Repairable codes that could not be judged, or in part only. */
function unjudgedNotes({ notEvaluated }: RepairLooks): readonly string[] {
  return notEvaluated
    .filter(({ code }) => repairOf(code) !== undefined)
    .map(
      ({ code, missing }) =>
        `${code} was not judged, or in part only, without ${missing.join(', ')}.`,
    );
}

function textOf({ code, subject }: ReportedFinding): string {
  const { kind, name, namespace, address, cidr, node, handle } = subject;
  return stringifyJson([
    code,
    kind,
    name,
    namespace ?? null,
    address ?? null,
    cidr ?? null,
    node ?? null,
    handle ?? null,
  ]);
}

function inOrder(tasks: readonly RepairTask[]): readonly RepairTask[] {
  return REPAIRS.flatMap((repair) => tasks.filter((task) => task.repair === repair));
}
