import type { WriteRight } from '../../datastore/datastore.ts';
import { mergedCluster } from '../../ipam/migration/import-merge.ts';
import type { ClusterInformationRow } from '../../ipam/model/cluster-information.ts';
import { CONFIG_NAME } from '../../ipam/model/ipam-config.ts';
import type { PlanItem, PlanSubject } from '../../ipam/plan.ts';
import { lockItem } from '../migrate/cluster-row.ts';
import { comparedIn, type Comparison, refusalsIn } from './compare-all.ts';
import type { Change } from './comparison.ts';
import type { FileContents } from './file-contents.ts';

/** What an import does, in order. */
export interface ImportPlan {
  /** All items as the document lists them. */
  readonly items: readonly PlanItem[];
  /** The items that stand for writes of ClusterInformation. */
  readonly lock: PlanItem;
  readonly cluster: PlanItem;
  /** Absent where nothing is written, and so nothing has to be verified. */
  readonly finish?: PlanItem | undefined;
  readonly rights: readonly WriteRight[];
}

/** Where the target stands. */
export interface ImportGround {
  readonly contents: FileContents;
  readonly comparison: Comparison;
  /** The target's own row; undefined when it has none. */
  readonly row: ClusterInformationRow | undefined;
  /** An import of the same file was begun and not finished. */
  readonly isBegun: boolean;
}

const CLUSTER: PlanSubject = { kind: 'ClusterInformation', name: CONFIG_NAME };

/** The plan of an import to which nothing in the target is opposed. */
export function planOf({ contents, comparison, row, isBegun }: ImportGround): ImportPlan {
  const isClusterEqual =
    row !== undefined && mergedCluster(row, contents.clusterInformation) === undefined;
  const changes = comparedIn(comparison).flatMap(({ change }) => change ?? []);
  const isNothingToDo = changes.length === 0 && isClusterEqual && !isBegun;
  const lock = lockItem('lock', isNothingToDo ? NOTHING_TO_LOCK : lockWords(row, isBegun));
  const cluster: PlanItem = {
    action: 'set-configuration',
    subject: CLUSTER,
    precondition: isClusterEqual ? '' : 'as it was read',
    reason: isClusterEqual
      ? 'the target says the same of itself already'
      : 'the target gets the identity and version that the file says',
    ...(isClusterEqual ? { kept: 'already' } : {}),
  };
  const finish: PlanItem | undefined = isNothingToDo
    ? undefined
    : {
        action: 'set-configuration',
        subject: CLUSTER,
        precondition: 'the target holds what the file holds',
        reason: 'verified against the file; the mark of the import is taken off, the lock stays',
      };
  const itemsOf = (parts: Comparison['objects']) =>
    parts.flatMap(({ compared }) => compared.map(({ item }) => item));
  return {
    items: [
      lock,
      ...itemsOf(comparison.objects),
      cluster,
      ...itemsOf(comparison.rows),
      ...(finish ? [finish] : []),
    ],
    lock,
    cluster,
    finish,
    rights: isNothingToDo ? [] : rightsOf(changes, row),
  };
}

/** What stands in the way of an import, in place of a plan; undefined when nothing does. */
export function refusedItems(comparison: Comparison): readonly PlanItem[] | undefined {
  const refused = refusalsIn(comparison).map(({ item }) => item);
  return refused.length === 0 ? undefined : refused;
}

const NOTHING_TO_LOCK = {
  precondition: '',
  reason: 'there is nothing to import',
  kept: 'already',
} as const;

function lockWords(
  row: ClusterInformationRow | undefined,
  isBegun: boolean,
): Pick<PlanItem, 'precondition' | 'reason'> {
  return {
    precondition: row ? 'as it was read' : 'there is none',
    reason: isBegun
      ? 'an import of this file was begun and is gone on with'
      : 'Calico assigns and releases nothing until it is unlocked, and the import is marked as begun',
  };
}

function rightsOf(
  changes: readonly Change[],
  row: ClusterInformationRow | undefined,
): readonly WriteRight[] {
  const rights: WriteRight[] = changes.map(rightOf);
  if (row === undefined) rights.push({ verb: 'create', kind: 'ClusterInformation' });
  rights.push({ verb: 'update', kind: 'ClusterInformation' });
  const byName = new Map(rights.map((right) => [`${right.verb} ${right.kind}`, right]));
  return [...byName.values()];
}

function rightOf(change: Change): WriteRight {
  switch (change.type) {
    case 'create-row':
      return { verb: 'create', kind: change.row.kind };
    case 'update-row':
      return { verb: 'update', kind: change.row.kind };
    case 'create-object':
      return { verb: 'create', kind: change.kind };
    case 'update-object':
      return { verb: 'update', kind: change.kind };
  }
}
