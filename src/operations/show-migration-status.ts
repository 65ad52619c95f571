import { InternalError } from '../errors/internal-error.ts';
import { readLockMark } from '../ipam/marks.ts';
import type { OperationContext } from './context.ts';
import { namingAllDenied } from './denials.ts';
import { documentSource } from './document-source.ts';
import type { MigrationStatusDocument, StatusSide } from './documents/migration-status-document.ts';
import { lookAtCluster, lockedBy } from './migrate/cluster-row.ts';
import { markedWork } from './migrate/unfinished.ts';
import type { Outcome } from './outcome.ts';

/**
 * Tells of each datastore whether it is locked, what was begun in it and what waits.
 * @param contexts One a side of a migration, at least one.
 */
export async function showMigrationStatus(
  contexts: readonly OperationContext[],
): Promise<Outcome<MigrationStatusDocument>> {
  const sides: StatusSide[] = [];
  for (const context of contexts) sides.push(await sideOf(context));
  const [first] = sides;
  if (first === undefined) throw new InternalError('there is no datastore to tell of');
  const document: MigrationStatusDocument = {
    kind: 'DatastoreStatus',
    schemaVersion: 1,
    source: first.source,
    sides,
  };
  return { document, verdict: 'ok' };
}

async function sideOf(context: OperationContext): Promise<StatusSide> {
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
            `It is locked, ${lockedBy(row)}; nothing is assigned until ipamctl datastore migrate unlock.`,
          ]
        : []),
    ],
  };
}
