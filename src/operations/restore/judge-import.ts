import type { WritableRow } from '../../datastore/datastore.ts';
import { isWellFormed } from '../../ipam/validate-block.ts';
import { IMPORT_MARK, LOCK_MARK } from '../../ipam/marks.ts';
import { objectContent } from '../../ipam/migration/import-equal.ts';
import { mergedNode } from '../../ipam/migration/import-merge.ts';
import type { BlockRow } from '../../ipam/model/block.ts';
import type { ClusterInformationRow } from '../../ipam/model/cluster-information.ts';
import { readTexts, withAnnotation } from '../../ipam/model/object-metadata.ts';
import type { JsonObject, ResourceKey } from '../../ipam/model/resource.ts';
import { isReadable, type Row } from '../../ipam/model/row.ts';
import type { KeptAs, PlanAction, PlanItem, PlanSubject } from '../../ipam/plan.ts';
import { addressAt } from '../../net/address.ts';
import { formatCidr } from '../../net/cidr.ts';
import { isSameRow } from '../undo/same-row.ts';
import type { ObjectChange } from '../undo/undo-log.ts';
import type { MayTake } from './restore-plan.ts';

/** A row or an object that an import wrote: before its first write and after its last. */
export interface ImportedThing {
  readonly kind: PlanSubject['kind'];
  readonly key: ResourceKey;
  readonly row?:
    | { readonly before: WritableRow | undefined; readonly after: WritableRow | undefined }
    | undefined;
  readonly object?: ObjectChange | undefined;
}

/** Marks that an import sets. */
const MARKS = [LOCK_MARK, IMPORT_MARK];

const REMOVALS: Readonly<Partial<Record<PlanSubject['kind'], PlanAction>>> = {
  IPAMHandle: 'delete-handle',
  IPAMBlock: 'delete-block',
  BlockAffinity: 'delete-affinity',
  IPPool: 'delete-pool',
};

/**
 * What becomes of a thing: it goes back only if it is as the import left it.
 * @param current What there is now: a row or an object.
 * @param mayTake Whether an address of a block may go; undefined when all may.
 */
export function judgeThing(
  thing: ImportedThing,
  current: Row | JsonObject | undefined,
  mayTake: MayTake | undefined,
): PlanItem {
  const subject = subjectOf(thing);
  const kept = thing.object
    ? keptObject(thing.object, current as JsonObject | undefined)
    : keptRow(thing.row, current as Row | undefined, mayTake);
  const isMade = (thing.object ?? thing.row)?.before === undefined;
  const action = actionOf(thing, isMade);
  if (kept) return { action, subject, precondition: '', reason: kept.reason, kept: kept.end };
  return {
    action,
    subject,
    precondition: 'as the import left it',
    reason: reasonOf(thing, isMade),
  };
}

/**
 * Whether the datastore has been locked ever since the import: nothing has been assigned then. A lock that somebody took
 * later, after it had been unlocked, is another one.
 * @param lock What {@link lockOfImport} found.
 */
export function isLockedSince(
  lock: string | undefined,
  current: ClusterInformationRow | undefined,
): boolean {
  if (current?.datastoreReady !== false) return false;
  return lock === undefined || readTexts(current.object, 'annotations')[LOCK_MARK] === lock;
}

/**
 * In a cluster that has been in use, an import is taken back as a whole or not at all: a block that stays needs its handles,
 * its owner's row, its pool and its configuration.
 */
export function allOrNothing(items: readonly PlanItem[]): readonly PlanItem[] {
  const held = items.filter(
    ({ kept, subject }) => kept === 'refusal' && subject.kind === 'IPAMBlock',
  );
  const [first] = held;
  if (first === undefined) return items;
  const more = held.length === 1 ? '' : ` and ${held.length - 1} more`;
  const reason = `block ${first.subject.cidr ?? first.subject.name}${more} of the import cannot go, and the cluster is in use, so this stays too`;
  return items.map((item) =>
    item.kept === undefined ? { ...item, precondition: '', reason, kept: 'refusal' } : item,
  );
}

/** What becomes of the cluster's own row. */
export function judgeCluster(
  { row }: ImportedThing,
  current: ClusterInformationRow | undefined,
  isAnyLeft: boolean,
): PlanItem {
  const subject: PlanSubject = { kind: 'ClusterInformation', name: 'default' };
  const before = row?.before as ClusterInformationRow | undefined;
  const after = row?.after as ClusterInformationRow | undefined;
  const action = before === undefined ? 'unlock' : 'set-configuration';
  const kept = (end: KeptAs, reason: string): PlanItem => ({
    action,
    subject,
    precondition: '',
    reason,
    kept: end,
  });
  if (current === undefined) return kept('already', 'there is none any more');
  if (before && restoredCluster(current, before) === current) {
    return kept('already', 'it is as it was before');
  }
  if (isAnyLeft) return kept('refusal', 'something of the import is left, so the lock stays');
  const known = [before?.clusterGUID, after?.clusterGUID];
  if (!known.includes(current.clusterGUID)) return kept('refusal', 'it has changed since');
  return {
    action,
    subject,
    precondition: 'nothing of the import is left',
    reason: before ? 'it says again what it said before' : 'the import made it',
  };
}

/** The row as it was before the import; the same row when it is so. */
export function restoredCluster(
  current: ClusterInformationRow,
  before: ClusterInformationRow,
): ClusterInformationRow {
  const { clusterGUID, clusterType, calicoVersion, datastoreReady } = before;
  const fields = { clusterGUID, clusterType, calicoVersion, datastoreReady };
  const [now, then] = [current.object, before.object].map((object) =>
    readTexts(object, 'annotations'),
  );
  const changed = MARKS.filter((mark) => now?.[mark] !== then?.[mark]);
  const restored = { ...current, ...fields };
  if (changed.length === 0) return isSameRow(restored, current) ? current : restored;
  const object = changed.reduce<JsonObject | undefined>(
    (marked, mark) => withAnnotation(marked, mark, then?.[mark]),
    current.object,
  );
  return { ...restored, object };
}

function keptRow(
  recorded: ImportedThing['row'],
  current: Row | undefined,
  mayTake: MayTake | undefined,
): { readonly end: KeptAs; readonly reason: string } | undefined {
  const { before, after } = recorded ?? {};
  const row = current && isReadable(current) ? (current as WritableRow) : undefined;
  if (current !== undefined && row === undefined) {
    return { end: 'refusal', reason: 'it cannot be read any more' };
  }
  if (isSameRow(row, before)) return { end: 'already', reason: 'it is as it was before' };
  if (row === undefined) return { end: 'already', reason: 'it is gone' };
  if (!isSameRow(row, after)) return { end: 'refusal', reason: 'it has changed since' };
  const isHeld = row.kind === 'IPAMBlock' && mayTake !== undefined && !mayGo(row, mayTake);
  return isHeld
    ? { end: 'refusal', reason: 'something alive carries one of its addresses, or may carry it' }
    : undefined;
}

function mayGo(block: BlockRow, mayTake: MayTake): boolean {
  return block.allocations.every(
    (_, ordinal) =>
      !isWellFormed(block, ordinal, block.allocations.length) ||
      mayTake(addressAt(block.cidr.base, ordinal)),
  );
}

/** What a node has been told stays noted on it, except for what it said before: nothing there is erased. */
function keptObject(
  { kind, before, after }: ObjectChange,
  current: JsonObject | undefined,
): { readonly end: KeptAs; readonly reason: string } | undefined {
  if (current === undefined) return { end: 'already', reason: 'it is gone' };
  if (kind === 'Node') {
    return before && mergedNode(current, before)
      ? undefined
      : { end: 'harmless', reason: 'what was noted on the node stays there' };
  }
  const content = objectContent(kind, current);
  if (before && content === objectContent(kind, before)) {
    return { end: 'already', reason: 'it is as it was before' };
  }
  if (after && content === objectContent(kind, after)) return undefined;
  return { end: 'refusal', reason: 'it has changed since' };
}

/** Actions have no word for each kind, so it is the reason that says what becomes of the thing. */
function reasonOf({ kind }: ImportedThing, isMade: boolean): string {
  if (!isMade || kind === 'Node') return 'the import changed it, so it is written as it was before';
  return 'the import made it, so it is deleted';
}

function actionOf({ kind }: ImportedThing, isMade: boolean): PlanAction {
  if (kind === 'Node') return 'update-node';
  return isMade ? (REMOVALS[kind] ?? 'set-configuration') : 'set-configuration';
}

function subjectOf({ kind, key, row }: ImportedThing): PlanSubject {
  const stored = row?.before ?? row?.after;
  return {
    kind,
    ...key,
    cidr: stored && 'cidr' in stored ? formatCidr(stored.cidr) : undefined,
    handle: stored?.kind === 'IPAMHandle' ? stored.id : undefined,
  };
}
