import { DataError } from '../errors/data-error.ts';
import { PreconditionError } from '../errors/precondition-error.ts';
import type { ToolError } from '../errors/tool-error.ts';
import { HEALINGS } from '../ipam/migration/healing.ts';
import type { Refusal } from '../ipam/migration/refusal.ts';
import type { OperationContext } from './context.ts';
import type { MigrationExportDocument } from './documents/migration-export-document.ts';
import type { ExportOptions, MigrationOutput } from './export/export-options.ts';
import { type ExportSource, openExportSource } from './export/export-source.ts';
import { migrationText, type WrittenFile } from './export/file-text.ts';
import { KindCounts } from './export/kind-counts.ts';
import { type Survey, surveyExport } from './export/survey.ts';
import type { Outcome } from './outcome.ts';

/** Most refusals that a message names; the document has all of them. */
const NAMED_REFUSALS = 20;

/** An export that was looked over, but of which nothing is written yet. */
export interface MigrationExport {
  /** What it would do; with an error when it is refused. */
  readonly plan: Outcome<MigrationExportDocument>;
  /**
   * Writes the file, or nothing when the export is refused.
   * @throws {@link UsageError} when the file cannot be written.
   */
  write(output: MigrationOutput): Promise<Outcome<MigrationExportDocument>>;
}

/**
 * Looks over everything that an export carries from etcd to Kubernetes, at one revision. What cannot be carried is listed
 * all at once, and then nothing is written: rows that cannot be read (status of unreadable data), nodes without a name in
 * Kubernetes, names that nothing there can have or that two would share (refused).
 * @throws {@link UnsupportedError} for a source that is not of etcd, {@link PreconditionError} when a live one is not
 * locked, {@link NotFoundError} for a node to leave out that nothing is of.
 */
export async function planExport(
  context: OperationContext,
  options: ExportOptions,
): Promise<MigrationExport> {
  const source = await openExportSource(context, options);
  const survey = await surveyExport(source, options.skipNodes);
  const planned = documentOf(source, survey, options);
  if (isEmpty(survey)) context.progress.warn(NOTHING);
  const error = refusalOf(survey.refusals);
  const plan: Outcome<MigrationExportDocument> = {
    document: planned,
    verdict: verdictOf(survey),
    error,
  };
  return {
    plan,
    write: (output) =>
      error === undefined ? write(source, survey, { plan, output }) : Promise.resolve(plan),
  };
}

interface WriteInputs {
  readonly plan: Outcome<MigrationExportDocument>;
  readonly output: MigrationOutput;
}

async function write(
  source: ExportSource,
  { names }: Survey,
  { plan, output }: WriteInputs,
): Promise<Outcome<MigrationExportDocument>> {
  const written: WrittenFile = { counts: new KindCounts(), sha256: undefined };
  const text = migrationText({ source, names, hash: output.newHash() }, written);
  const end = await output.write(text);
  const document = { ...plan.document, file: output.file };
  if (end === 'reader-gone') {
    const note =
      'the reader of the output went away before the end, so what it has is no whole file';
    return {
      document: { ...document, notes: [...document.notes, note] },
      verdict: 'partial',
    };
  }
  const { sha256 } = written;
  return {
    ...plan,
    document: { ...document, written: true, counts: written.counts.toRecord(), sha256 },
  };
}

function verdictOf({ refusals, notHeld }: Survey): Outcome<MigrationExportDocument>['verdict'] {
  if (refusals.some(({ code }) => code === 'unreadable')) return 'data';
  if (refusals.length > 0) return 'refused';
  return notHeld.length > 0 ? 'partial' : 'ok';
}

function documentOf(
  source: ExportSource,
  survey: Survey,
  { skipNodes }: ExportOptions,
): MigrationExportDocument {
  return {
    kind: 'MigrationExport',
    schemaVersion: 1,
    source: source.description,
    written: false,
    revision: source.revision,
    counts: survey.counts.toRecord(),
    nodes: survey.names.all,
    skippedNodes: [...new Set(skipNodes)],
    leftOut: survey.leftOut.toRecord(),
    healed: survey.tally
      .entries()
      .map(({ code, count }) => ({ code, count, what: HEALINGS[code] })),
    refusals: survey.refusals,
    notes: notesOf(survey),
  };
}

/** Told when there is nothing of IPAM in the source: not wrong, but seldom meant. */
const NOTHING =
  'The source holds neither pools nor IPAM data: make sure that it is the one that is meant, and not an empty one at another address.';

/** Whether the file would say nothing of addresses. */
function isEmpty({ counts }: Survey): boolean {
  return ['IPPool', 'IPAMBlock', 'IPAMHandle', 'BlockAffinity'].every(
    (kind) => counts.of(kind) === 0,
  );
}

function notesOf(survey: Survey): readonly string[] {
  const { notHeld, freedAddresses, disownedBlocks } = survey;
  return [
    ...(isEmpty(survey) ? [NOTHING] : []),
    ...(notHeld.length === 0
      ? []
      : [`the source does not hold ${notHeld.join(', ')}, so the file has no lists of them`]),
    ...(disownedBlocks === 0
      ? []
      : [
          `${disownedBlocks} blocks of skipped nodes stay without owner, for they hold addresses of others`,
        ]),
    ...(freedAddresses === 0
      ? []
      : [`${freedAddresses} addresses of skipped nodes are free in blocks that stay`]),
  ];
}

/** One error for everything that stands against the export. */
function refusalOf(refusals: readonly Refusal[]): ToolError | undefined {
  if (refusals.length === 0) return undefined;
  const named = refusals
    .slice(0, NAMED_REFUSALS)
    .map(({ subject, reason }) => `${subject} ${reason}`);
  const rest = refusals.length - named.length;
  const list = [...named, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ');
  const options = { hint: hintFor(refusals), details: { refusals } };
  return refusals.some(({ code }) => code === 'unreadable')
    ? new DataError(`not everything can be read, so nothing was exported: ${list}`, options)
    : new PreconditionError(
        `not everything can be carried to Kubernetes, so nothing was exported: ${list}`,
        options,
      );
}

function hintFor(refusals: readonly Refusal[]): string {
  const codes = new Set(refusals.map(({ code }) => code));
  const ways = [
    ...(codes.has('unreadable') ? ['mend or remove the rows that cannot be read'] : []),
    ...(codes.has('no-kubernetes-name')
      ? ['leave hosts out that are no nodes of Kubernetes, with --skip-node NAME for each']
      : []),
    ...(codes.has('several-kubernetes-names') || codes.has('shared-kubernetes-name')
      ? [
          'correct the references of the nodes, or leave all but one of each name out with --skip-node',
        ]
      : []),
    ...(codes.has('name-of-another')
      ? ['release what hosts left behind that are no nodes, or leave them out with --skip-node']
      : []),
    ...(codes.has('overlapping-blocks') ? ['empty and remove one block of each pair'] : []),
    ...(codes.has('impossible-name') || codes.has('shared-name')
      ? ['release or rename what has such a name, or leave its host out with --skip-node']
      : []),
  ];
  return ways.join('; ');
}
