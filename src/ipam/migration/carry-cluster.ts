import { MARK_DOMAIN } from '../marks.ts';
import type { ClusterInformationRow } from '../model/cluster-information.ts';
import type { JsonObject } from '../model/resource.ts';
import { objectAt, without } from './json-value.ts';

/** Kept by the server alone; what else its metadata says is part of a migration file. */
const SERVER_FIELDS: ReadonlySet<string> = new Set(['generation', 'managedFields', 'selfLink']);
const ANNOTATIONS: ReadonlySet<string> = new Set(['annotations']);

/**
 * ClusterInformation as the migration file has it: whole, but without the marks of ipamctl, which tell of the source: who
 * locked it, for instance.
 */
export function carryClusterInformation(row: ClusterInformationRow): JsonObject {
  const object = row.object ?? {};
  const metadata = without(objectAt(object, 'metadata'), SERVER_FIELDS);
  const annotations = Object.entries(objectAt(metadata, 'annotations')).filter(
    ([name]) => !name.startsWith(MARK_DOMAIN),
  );
  const isRevised = row.revision !== undefined && /^\d+$/.test(row.revision);
  return {
    kind: 'ClusterInformation',
    apiVersion: 'projectcalico.org/v3',
    ...object,
    metadata: {
      ...without(metadata, ANNOTATIONS),
      ...(isRevised ? { resourceVersion: row.revision } : {}),
      ...(annotations.length > 0 ? { annotations: Object.fromEntries(annotations) } : {}),
    },
  };
}
