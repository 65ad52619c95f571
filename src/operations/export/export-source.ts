import { type Datastore, StreamRestart } from '../../datastore/datastore.ts';
import type { ObjectStore } from '../../datastore/object-store.ts';
import { DataError } from '../../errors/data-error.ts';
import { PreconditionError } from '../../errors/precondition-error.ts';
import { UnavailableError } from '../../errors/unavailable-error.ts';
import { UnsupportedError } from '../../errors/unsupported-error.ts';
import type { ClusterInformationRow } from '../../ipam/model/cluster-information.ts';
import type { RowKeys } from '../../ipam/model/row-keys.ts';
import type { OperationContext } from '../context.ts';
import { documentSource } from '../document-source.ts';
import { assertVersion } from '../guards.ts';
import { lookAtCluster } from '../migrate/cluster-row.ts';
import { markedWork } from '../migrate/unfinished.ts';
import type { DocumentSource } from '../outcome.ts';
import type { ExportOptions } from './export-options.ts';

/** A source that may be exported. */
export interface ExportSource {
  /** Of which every read is at one revision. */
  readonly context: OperationContext;
  readonly objects: ObjectStore;
  readonly cluster: ClusterInformationRow;
  readonly revision: string | undefined;
  readonly description: DocumentSource;
}

/**
 * Looks whether the source may be exported, and fixes the revision of every read.
 * @throws {@link UnsupportedError} for a source that is not of etcd, {@link PreconditionError} when a live one is not
 * locked or something in it is not finished, {@link DataError} without ClusterInformation.
 */
export async function openExportSource(
  context: OperationContext,
  options: ExportOptions,
): Promise<ExportSource> {
  const { datastore, signal } = context;
  assertEtcdForm(datastore);
  const pinned = await datastore.pin?.({ signal });
  const fixed = pinned === undefined ? context : { ...context, datastore: pinned.datastore };
  const objects = fixed.datastore.objects;
  if (objects === undefined) throw notExportable('this source holds rows of IPAM only');
  const { state, row } = await lookAtCluster(fixed);
  assertVersion(state, options.isMismatchAllowed);
  if (datastore.capabilities.live) assertLocked(row);
  if (row === undefined) {
    throw new DataError('the source has no ClusterInformation, which a migration file must hold', {
      hint: 'export the cluster that Calico has initialized',
    });
  }
  await assertFinished(fixed, row);
  const description = { ...documentSource(fixed, state), ...datastore.describe() };
  return { context: fixed, objects, cluster: row, revision: pinned?.revision, description };
}

function assertEtcdForm(datastore: Datastore): void {
  const { keys } = datastore as { readonly keys?: RowKeys | undefined };
  if (datastore.describe().datastore === 'etcd' || keys?.form === 'entry') return;
  throw notExportable('a migration file is made from etcd, and this source is of Kubernetes');
}

function notExportable(problem: string): UnsupportedError {
  return new UnsupportedError(problem, {
    hint: 'to save a cluster in Kubernetes, use ipamctl datastore snapshot',
  });
}

function assertLocked(row: ClusterInformationRow | undefined): void {
  if (row?.datastoreReady === false) return;
  throw new PreconditionError(
    'the datastore is not locked, so it may change while it is migrated',
    {
      hint: 'lock it with ipamctl datastore migrate lock; it stays locked for good',
    },
  );
}

async function assertFinished(
  context: OperationContext,
  row: ClusterInformationRow,
): Promise<void> {
  const [work] = (await markedWork(context, row)).filter(({ finished }) => !finished);
  if (work === undefined) return;
  throw new PreconditionError(
    `the source is in the middle of a change: ${work.what}, ${work.says}`,
    {
      hint: work.remedy,
      details: { what: work.what },
    },
  );
}

/** Gives the batches of a list; one that was cut cannot be mended while a file is being written. */
export async function* wholeList<T>(kind: string, batches: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* batches;
  } catch (error) {
    if (!(error instanceof StreamRestart)) throw error;
    throw new UnavailableError(`the list of ${kind} was cut`, { cause: error, retryable: true });
  }
}
