import type { SourceDescription } from '../datastore/datastore.ts';
import { CancelledError } from '../errors/cancelled-error.ts';
import { InternalError } from '../errors/internal-error.ts';
import { PartialError } from '../errors/partial-error.ts';
import { ToolError } from '../errors/tool-error.ts';
import { readLockMark } from '../ipam/marks.ts';
import type { OperationContext } from './context.ts';
import { namingAllDenied } from './denials.ts';
import { documentSource } from './document-source.ts';
import type {
  MigrationStatusDocument,
  ReadSide,
  StatusSide,
} from './documents/migration-status-document.ts';
import { verdictOf } from './judge-ends.ts';
import { lookAtCluster, lockedBy } from './migrate/cluster-row.ts';
import { markedWork } from './migrate/unfinished.ts';
import type { Outcome } from './outcome.ts';

/** One side of a migration, not opened yet. */
export interface MigrationSide {
  /** What is known of it before it is opened. */
  readonly source: SourceDescription;
  /** Opens it; whoever made the side closes it. */
  open(): Promise<OperationContext>;
}

/** A side as the document shows it, and why it could not be read. */
interface Told {
  readonly side: StatusSide;
  readonly error?: ToolError | undefined;
}

/**
 * Tells of each datastore whether it is locked, what was begun in it and what waits. One that cannot be read keeps none of
 * the others from being shown: the verdict is partial then, and that of the first error when none can be read.
 * @param sides At least one.
 * @param signal What ends the command; whoever had not answered by then cannot be read.
 * @throws {@link ToolError} when the only side cannot be read, {@link CancelledError} when the user ends the command.
 */
export async function showMigrationStatus(
  sides: readonly MigrationSide[],
  signal: AbortSignal,
): Promise<Outcome<MigrationStatusDocument>> {
  // At once: of two sides, one may take all the time that there is.
  const told = await Promise.all(sides.map((side) => tell(side, signal)));
  const [first] = told;
  if (first === undefined) throw new InternalError('there is no datastore to tell of');
  const errors = told.flatMap(({ error }) => error ?? []);
  const [error] = errors;
  if (error !== undefined && told.length === 1) throw error;
  const document: MigrationStatusDocument = {
    kind: 'DatastoreStatus',
    schemaVersion: 1,
    source: first.side.source,
    sides: told.map(({ side }) => side),
  };
  if (error === undefined) return { document, verdict: 'ok' };
  if (errors.length === told.length) return { document, ...verdictOf(error) };
  return { document, verdict: 'partial', error: partlyRead(error, told) };
}

function partlyRead(error: ToolError, told: readonly Told[]): PartialError {
  const unread = told.flatMap(({ side, error }) => (error === undefined ? [] : side.side));
  return new PartialError(`${unread.join(' and ')} cannot be read: ${error.message}`, {
    hint: error.hint,
    details: { ...error.details, unread, code: error.code },
    cause: error,
  });
}

async function tell(side: MigrationSide, signal: AbortSignal): Promise<Told> {
  try {
    return { side: await sideOf(await side.open()) };
  } catch (thrown) {
    const error: unknown = signal.aborted ? signal.reason : thrown;
    if (!(error instanceof ToolError) || isEnd(error)) throw error;
    const { code, message, hint } = error;
    const { source } = side;
    return { side: { side: source.datastore, source, error: { code, message, hint } }, error };
  }
}

/** What ends the command whatever the side: the user, or a bug. */
function isEnd(error: ToolError): boolean {
  return error instanceof CancelledError || error instanceof InternalError;
}

async function sideOf(context: OperationContext): Promise<ReadSide> {
  const { state, row } = await namingAllDenied(
    () => lookAtCluster(context),
    () => markedWork(context, undefined),
  );
  const marks = await markedWork(context, row);
  const locked = row?.datastoreReady === false;
  const unfinished = marks.filter(({ finished }) => !finished);
  return {
    side: context.datastore.describe().datastore,
    source: documentSource(context, state),
    initialized: row !== undefined,
    locked,
    datastoreReady: row?.datastoreReady,
    lock: locked ? readLockMark(row.object) : undefined,
    marks,
    waiting: [
      ...unfinished.map(
        ({ what, says, remedy }) => `The ${what} is not finished (${says}): ${remedy ?? ''}.`,
      ),
      ...(locked
        ? [
            `It is locked, ${lockedBy(row)}; Calico assigns nothing until ipamctl datastore migrate unlock.`,
          ]
        : []),
    ],
  };
}
