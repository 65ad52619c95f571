import { PartialError } from '../errors/partial-error.ts';
import type { PlanItem } from '../ipam/plan.ts';
import type { ClusterState } from '../ipam/state/cluster-state.ts';
import { formatTime } from '../support/time.ts';
import type { WriteRight } from '../datastore/datastore.ts';
import { assertAllowed, assertRights } from './assert-rights.ts';
import type { OperationContext } from './context.ts';
import { countProgress } from './count-progress.ts';
import { documentSource } from './document-source.ts';
import type { OutcomeDocument } from './documents/outcome-document.ts';
import type { PlanDocument, ReportUse } from './documents/plan-document.ts';
import { writable } from './guards.ts';
import { ItemLedger, outcomeItem } from './item-ledger.ts';
import { judgeEnds } from './judge-ends.ts';
import type { Outcome } from './outcome.ts';
import { UndoJournal } from './undo/undo-journal.ts';
import { undoNotes } from './undo/with-undo-file.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { UndoHeader, UndoHistory, UndoSink } from './undo/undo-log.ts';
import { Writer } from './writer.ts';

/** A change that was loaded, planned and guarded, and not yet applied. */
export interface Mutation {
  /** What would be written; also what is shown before the user is asked. */
  readonly plan: Outcome<PlanDocument>;
  /** Nothing would be written. */
  readonly isEmpty: boolean;
  /** @throws {@link UnsupportedError} when the source can be read only. */
  assertWritable(): void;
  /**
   * Applies the plan; changes go into the undo file first, where one is given.
   * @throws {@link AccessDeniedError} when rights are missing; then nothing was written.
   */
  apply(undo?: UndoSink): Promise<Outcome<OutcomeDocument>>;
}

/** What a mutation is made of. */
export interface MutationParts {
  readonly context: OperationContext;
  readonly state: ClusterState;
  /** Words of the command, such as `ipam release`. */
  readonly command: string;
  readonly items: readonly PlanItem[];
  readonly notes?: readonly string[] | undefined;
  /** Notes that hold only once something was written, as the plan foresees it; what was not written goes without them. */
  readonly notesIfApplied?: readonly string[] | undefined;
  readonly reports?: readonly ReportUse[] | undefined;
  /** Something could not be judged at all. */
  readonly isPartial?: boolean | undefined;
  /** Rights that applying needs; by default those of the actions. */
  readonly rights?: readonly WriteRight[] | undefined;
  /** Cluster GUID for the undo file where it is not that of the state: the one that the plan gives the cluster. */
  readonly identity?: string | undefined;
  /** What the undo file holds that is gone on with. */
  readonly history?: UndoHistory | undefined;
  /**
   * How a run goes on that was cut short after it had begun to write, as a sentence part.
   * @param undoFile Path of its undo file, where there is one.
   */
  readonly wayOn?: ((undoFile: string | undefined) => string) | undefined;
  /** Carries out all items that the plan does not leave alone, and takes down how each ends. */
  readonly run: (tools: { readonly ledger: ItemLedger; readonly writer: Writer }) => Promise<void>;
}

/**
 * Puts a plan and the way to apply it together.
 * @throws {@link UsageError} when the undo file is of another command or cluster.
 */
export function mutationOf(parts: MutationParts): Mutation {
  assertSameUndo(parts);
  return {
    plan: planOutcome(parts),
    isEmpty: parts.items.every(({ kept }) => kept !== undefined),
    assertWritable: () => void writable(parts.context.datastore),
    apply: (undo) => apply(parts, undo),
  };
}

function planOutcome({
  context,
  state,
  command,
  items,
  notes = [],
  notesIfApplied = [],
  reports,
  isPartial,
}: MutationParts): Outcome<PlanDocument> {
  const planned = items.filter(({ kept }) => kept === undefined);
  const left = items.filter(({ kept }) => kept !== undefined);
  const document: PlanDocument = {
    kind: 'IPAMPlan',
    schemaVersion: 1,
    source: documentSource(context, state),
    command,
    items: planned.map(({ kept: _kept, ...item }) => item),
    kept: left.map(({ kept, precondition: _precondition, ...item }) => ({
      ...item,
      result: kept === 'already' ? 'already' : 'skipped',
    })),
    totals: {
      planned: planned.length,
      already: left.filter(({ kept }) => kept === 'already').length,
      skipped: left.filter(({ kept }) => kept !== 'already').length,
    },
    reports,
    notes: planned.length > 0 ? [...notes, ...notesIfApplied] : notes,
  };
  return { document, ...withPart(judgePlan(items), isPartial) };
}

/** The status that applying the plan would have, if nothing changes in between. */
function judgePlan(items: readonly PlanItem[]): Pick<Outcome<PlanDocument>, 'verdict' | 'error'> {
  const ends = items.map((item) => ({
    item,
    end: item.kept ?? ('applied' as const),
    reason: item.reason,
  }));
  const { verdict, error } = judgeEnds(ends, undefined);
  if (!(error instanceof PartialError)) return { verdict, error };
  const refused = items.filter(({ kept }) => kept === 'refusal').length;
  return {
    verdict,
    error: new PartialError(
      `refused: ${refused} of ${items.length} items; the plan lists what is left alone, and why`,
    ),
  };
}

type End = Pick<Outcome<never>, 'verdict' | 'error'>;

/** What could not be judged makes a run that is otherwise right a partial one. */
function withPart(end: End, isPartial = false): End {
  return isPartial && end.verdict === 'ok' ? { verdict: 'partial' } : end;
}

/** Identity of the cluster, for undo files; the group tells two forms of one datastore apart. */
function undoHeaderOf({ context, state, command, identity }: MutationParts): UndoHeader {
  const { apiGroup, datastore } = context.datastore.describe();
  return {
    kind: 'IPAMUndo',
    schemaVersion: 1,
    command,
    clusterGUID: identity ?? state.clusterInformation?.clusterGUID ?? '',
    apiGroup: apiGroup ?? datastore,
    time: formatTime(Math.floor(context.clock.now() / 1000) * 1000),
  };
}

function assertSameUndo(parts: MutationParts): void {
  const recorded = parts.history?.header;
  if (recorded === undefined) return;
  const { command, clusterGUID, apiGroup } = undoHeaderOf(parts);
  if (
    recorded.command === command &&
    recorded.clusterGUID === clusterGUID &&
    recorded.apiGroup === apiGroup
  )
    return;
  throw new UsageError(
    `--undo-file: the file is of \`${recorded.command}\` on cluster ${recorded.clusterGUID} (${recorded.apiGroup}), so this run cannot go on with it`,
    { hint: 'name a new file' },
  );
}

async function apply(
  parts: MutationParts,
  undo: UndoSink | undefined,
): Promise<Outcome<OutcomeDocument>> {
  const { context, items } = parts;
  const total = items.filter(({ kept }) => kept === undefined).length;
  const ledger = new ItemLedger(items, countProgress({ what: parts.command, total }, context));
  const journal =
    undo && new UndoJournal(undo, undoHeaderOf(parts), parts.history?.writes.at(-1)?.n);
  const datastore = writable(context.datastore);
  if (parts.rights) await assertAllowed(datastore, parts.rights, context.signal);
  else await assertRights(datastore, items, context.signal);
  const writer = new Writer(context, datastore, journal);
  const interruption = await runAndFlush(parts, { ledger, writer });
  const ends = ledger.ends(items);
  const outcomeItems = ends.map(outcomeItem);
  const count = (result: string): number =>
    outcomeItems.filter((item) => item.result === result).length;
  // Where nothing was changed, there is nothing to take back.
  const changes = writer.hasWritten ? undo : undefined;
  const document: OutcomeDocument = {
    kind: 'IPAMOutcome',
    schemaVersion: 1,
    source: documentSource(context, parts.state),
    command: parts.command,
    items: outcomeItems,
    totals: {
      applied: count('applied'),
      already: count('already'),
      skipped: count('skipped'),
      failed: count('failed'),
    },
    reports: parts.reports,
    undoFile: changes?.path,
    notes: notesOf(parts, { isApplied: count('applied') > 0, changes }),
  };
  const end = withPart(judgeEnds(ends, interruption), parts.isPartial);
  const isCut = interruption !== undefined || document.totals.failed > 0;
  return { document, ...(isCut ? withWayOn(end, document, parts) : end) };
}

function notesOf(
  { notes = [], notesIfApplied = [] }: MutationParts,
  end: { readonly isApplied: boolean; readonly changes: UndoSink | undefined },
): readonly string[] {
  return [...notes, ...(end.isApplied ? notesIfApplied : []), ...undoNotes(end.changes)];
}

/** What was cut short after it had begun to write says how it goes on. */
function withWayOn(
  { verdict, error }: End,
  { totals, undoFile }: OutcomeDocument,
  { wayOn }: MutationParts,
): End {
  const isBegun = totals.applied > 0 || undoFile !== undefined;
  if (!isBegun || wayOn === undefined || error === undefined) return { verdict, error };
  return { verdict, error: error.withWayOut(wayOn(undoFile)) };
}

/** Runs the plan; what ended it early, if anything did. Whatever happened, what was written is made to last. */
async function runAndFlush(
  { context, items, run }: MutationParts,
  tools: { readonly ledger: ItemLedger; readonly writer: Writer },
): Promise<unknown> {
  const { ledger, writer } = tools;
  try {
    await run(tools);
  } catch (error) {
    if (!context.signal.aborted) failRest(ledger, items, error);
  }
  try {
    await writer.flush();
  } catch (error) {
    ledger.void(error);
  }
  if (!context.signal.aborted) return undefined;
  const { reason } = context.signal as { readonly reason: unknown };
  failRest(ledger, items, reason);
  return reason;
}

/** What was not reached failed with what ended the run. */
function failRest(ledger: ItemLedger, items: readonly PlanItem[], thrown: unknown): void {
  for (const item of items) if (!ledger.has(item)) ledger.failed(item, thrown);
}
