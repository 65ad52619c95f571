import {
  calicoVersionOf,
  clusterGuidOf,
  mergedCluster,
} from '../../ipam/migration/import-merge.ts';
import type { ClusterInformationRow } from '../../ipam/model/cluster-information.ts';
import type { JsonObject } from '../../ipam/model/resource.ts';
import type { PlanAction } from '../../ipam/plan.ts';
import { CLUSTER_KEY } from '../migrate/cluster-row.ts';
import { withRetries } from '../with-retries.ts';
import type { ImportTools } from './apply-changes.ts';
import {
  type ImportPhase,
  isBegunImport,
  type MarkOptions,
  withImportMark,
  withoutImportMark,
} from './import-mark.ts';

/** What the import says of the cluster. */
export interface ClusterWords {
  readonly mark: MarkOptions;
  readonly clusterInformation: JsonObject;
  /** Identity where neither the file nor the target has one. */
  readonly newGuid: string;
}

/**
 * Locks the target and marks it, in one write. A target that says nothing of itself gets the identity of the file.
 * @throws {@link PreconditionError} when another import was begun meanwhile.
 */
export async function lockForImport(tools: ImportTools, words: ClusterWords): Promise<void> {
  await writeCluster(tools, 'lock', (row) => {
    isBegunImport(row, words.mark.digest);
    return withImportMark(row ?? newRow(words), 'resources', words.mark);
  });
}

/** Gives the target the identity and version of the file, and notes that rows of IPAM follow. */
export async function setCluster(tools: ImportTools, words: ClusterWords): Promise<void> {
  await writeCluster(tools, 'set-configuration', (row) => {
    const current = row ?? newRow(words);
    const merged = mergedCluster(current, words.clusterInformation) ?? current;
    return withImportMark(merged, 'ipam', words.mark);
  });
}

/** Notes what the import does now. */
export async function notePhase(
  tools: ImportTools,
  phase: ImportPhase,
  words: ClusterWords,
): Promise<void> {
  await writeCluster(tools, 'set-configuration', (row) =>
    withImportMark(row ?? newRow(words), phase, words.mark),
  );
}

/** Takes the mark off: the import is finished. The target stays locked. */
export async function finishImport(tools: ImportTools): Promise<void> {
  await writeCluster(tools, 'set-configuration', (row) => row && withoutImportMark(row));
}

async function writeCluster(
  { context, access, writer }: ImportTools,
  action: PlanAction,
  change: (row: ClusterInformationRow | undefined) => ClusterInformationRow | undefined,
): Promise<void> {
  await withRetries(context, async () => {
    const row = await access.read('ClusterInformation', CLUSTER_KEY);
    const wanted = change(row);
    if (wanted === undefined) return;
    if (row) await writer.update(row, wanted, { action });
    else await writer.create(wanted, { action });
  });
}

/** Source: Calico libcalico-go lib/clientv3 client.go, EnsureInitialized. */
function newRow({ clusterInformation, newGuid }: ClusterWords): ClusterInformationRow {
  return {
    kind: 'ClusterInformation',
    key: CLUSTER_KEY,
    clusterGUID: clusterGuidOf(clusterInformation) ?? newGuid,
    clusterType: 'kdd',
    calicoVersion: calicoVersionOf(clusterInformation),
  };
}
