import { AccessDeniedError } from '../errors/access-denied-error.ts';
import { RESOURCE_KINDS } from '../ipam/model/resource.ts';
import { isReadable } from '../ipam/model/row.ts';
import type { Redactor } from '../ipam/redaction/redactor.ts';
import { type RedactionOptions, RedactionSurvey } from '../ipam/redaction/survey.ts';
import { stringifyJson } from '../support/json.ts';
import { formatTime } from '../support/time.ts';
import type { OperationContext } from './context.ts';
import type { DatastoreSnapshotDocument } from './documents/datastore-snapshot-document.ts';
import type { DocumentSource, Outcome } from './outcome.ts';
import { readKinds } from './read-kinds.ts';
import { KindParts } from './snapshot/kind-parts.ts';
import type { SnapshotPiece, SnapshotTarget } from './snapshot/snapshot-target.ts';

/** What to write. */
export interface SnapshotOptions {
  /** Absent for names and addresses as they are. */
  readonly redaction?: RedactionOptions | undefined;
  /** Read and count, but write nothing. */
  readonly isDryRun: boolean;
}

/** What reading came to. */
interface Taken {
  readonly parts: KindParts;
  readonly redactor: Redactor | undefined;
  readonly takenAt: string;
}

/**
 * Writes everything that IPAM rests on into one file that opens as a datastore: a check of it finds what a check of the
 * source finds. Rows that cannot be read are written as they are.
 *
 * @remarks Claims are read before evidence, as a check does. Redaction needs to know pools, machines and, for addresses,
 * ranges before the first object; so it reads those kinds twice.
 * @throws {@link AccessDeniedError} naming every right that is missing; {@link UsageError} when the file cannot be
 * written; {@link PreconditionError} when addresses cannot be replaced.
 */
export async function snapshotDatastore(
  context: OperationContext,
  target: SnapshotTarget,
  { redaction, isDryRun }: SnapshotOptions,
): Promise<Outcome<DatastoreSnapshotDocument>> {
  const takenAt = formatTime(Math.floor(context.clock.now() / 1000) * 1000);
  const redactor = redaction && (await survey(context, redaction));
  const parts = new KindParts(isDryRun ? undefined : target, redactor);
  await readKinds(context, {
    kinds: RESOURCE_KINDS,
    list: isDryRun ? undefined : { keep: () => true, trimsWorkloads: true },
    sink: parts,
  });
  const taken: Taken = { parts, redactor, takenAt };
  const document = documentOf(context, taken, { file: target.file, redacted: redaction?.level });
  if (isDryRun) return { document, verdict: 'ok' };
  context.progress.step('writing the snapshot');
  const file = await target.finish(piecesOf(context, taken, redaction), context.signal);
  // The reader of standard output went away, and what it has is no whole file.
  if (file === undefined) return { document, verdict: 'partial' };
  return { document: { ...document, written: true, ...file }, verdict: 'ok' };
}

async function survey(context: OperationContext, options: RedactionOptions): Promise<Redactor> {
  const gathered = new RedactionSurvey(options);
  try {
    await readKinds(context, {
      kinds: gathered.kinds,
      list: { keep: (row) => !isReadable(row) },
      sink: {
        take: (_kind, rows) => {
          for (const row of rows) gathered.add(row);
        },
        ...NOTHING_TO_NOTE,
      },
    });
  } catch (error) {
    if (error instanceof AccessDeniedError) await nameAllDenied(context);
    throw error;
  }
  return gathered.build();
}

/** Gathered twice is gathered all the same, so nothing depends on how a list came. */
const NOTHING_TO_NOTE = {
  loaded: () => undefined,
  notInstalled: () => undefined,
  drop: () => undefined,
};

/** The kinds of the survey are not all that is needed: rights that are missing are told at once. */
async function nameAllDenied(context: OperationContext): Promise<void> {
  const sink = { take: () => undefined, ...NOTHING_TO_NOTE };
  await readKinds(context, { kinds: RESOURCE_KINDS, sink });
}

function documentOf(
  context: OperationContext,
  { parts, takenAt }: Taken,
  { file, redacted }: Pick<DatastoreSnapshotDocument, 'file' | 'redacted'>,
): DatastoreSnapshotDocument {
  const { kinds, notInstalledKinds, clusterGUID } = parts;
  const source = context.datastore.describe();
  return {
    kind: 'DatastoreSnapshot',
    schemaVersion: 1,
    source: clusterGUID === undefined ? source : { ...source, clusterGUID },
    file,
    written: false,
    takenAt,
    redacted,
    counts: kinds.map((kind) => ({ kind, count: parts.countOf(kind) })),
    notInstalled: notInstalledKinds,
    notHeld: RESOURCE_KINDS.filter(
      (kind) => !kinds.includes(kind) && !notInstalledKinds.includes(kind),
    ),
  };
}

/** The file: what it is about in its first lines, then the rows, one a line. */
function piecesOf(
  context: OperationContext,
  taken: Taken,
  redaction: RedactionOptions | undefined,
): readonly SnapshotPiece[] {
  const { parts, takenAt } = taken;
  const head = {
    kind: 'IPAMSnapshot',
    schemaVersion: 1,
    tool: { name: 'ipamctl', version: context.toolVersion },
    takenAt,
    source: sourceOf(context, taken),
    redacted: redaction?.level,
    kinds: parts.kinds,
    notInstalled: parts.notInstalledKinds.length > 0 ? parts.notInstalledKinds : undefined,
  };
  const entries = parts.pieces('entries');
  const isEtcd = context.datastore.keys.form === 'entry';
  return [
    stringifyJson(head).slice(0, -1),
    ...(entries.length > 0 || isEtcd ? [',\n"entries":[', ...entries, '\n]'] : []),
    ',\n"items":[',
    ...parts.pieces('items'),
    '\n]}\n',
  ];
}

/** Where it was read from; names of contexts, servers and files are names too. */
function sourceOf(context: OperationContext, { parts, redactor }: Taken): DocumentSource {
  const { clusterGUID } = parts;
  const source = context.datastore.describe();
  if (redactor === undefined)
    return clusterGUID === undefined ? source : { ...source, clusterGUID };
  const { datastore, apiGroup } = source;
  const shown = clusterGUID === undefined ? undefined : redactor.clusterGUID(clusterGUID);
  return { datastore, apiGroup, clusterGUID: shown };
}
