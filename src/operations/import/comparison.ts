import type { ObjectKind } from '../../datastore/object-store.ts';
import { objectDifferences, rowDifferences } from '../../ipam/migration/import-differences.ts';
import { type ImportedRow, objectContent, rowContent } from '../../ipam/migration/import-equal.ts';
import { mergedNode } from '../../ipam/migration/import-merge.ts';
import {
  CONFIG_NAME,
  DEFAULT_IPAM_CONFIG,
  type IpamConfigRow,
} from '../../ipam/model/ipam-config.ts';
import { comparableHandleId } from '../../ipam/handle-id.ts';
import { type JsonObject, keyText } from '../../ipam/model/resource.ts';
import { isReadable, type Row } from '../../ipam/model/row.ts';
import type { PlanItem, PlanSubject } from '../../ipam/plan.ts';
import { formatCidr } from '../../net/cidr.ts';
import { keyOf } from '../object-writer.ts';

/** What has to be written so that the target has an object of the file. */
export type Change =
  | { readonly type: 'create-row'; readonly row: ImportedRow }
  | { readonly type: 'update-row'; readonly row: IpamConfigRow }
  | { readonly type: 'create-object'; readonly kind: ObjectKind; readonly object: JsonObject }
  | { readonly type: 'update-object'; readonly kind: ObjectKind; readonly object: JsonObject };

/** An object of the file beside that of the target; without a change it is left alone. */
export interface Compared {
  readonly item: PlanItem;
  readonly change?: Change | undefined;
}

const TIERS: ReadonlySet<string> = new Set(['default', 'kube-admin', 'kube-baseline']);
const CONFIGURATIONS: ReadonlySet<string> = new Set<ObjectKind>([
  'FelixConfiguration',
  'BGPConfiguration',
  'KubeControllersConfiguration',
]);

const NEW = 'there is none';
const AS_READ = 'as it was read';

/** Compares a row of the file with the one of its name in the target. */
export function compareRow(row: ImportedRow, found: Row | undefined): Compared {
  const subject = rowSubject(row);
  if (found === undefined || isLeftover(found, row)) {
    const action = row.kind === 'IPAMConfig' ? 'set-configuration' : 'create-object';
    return {
      item: { action, subject, precondition: NEW, reason: 'the target does not have it' },
      change: { type: 'create-row', row },
    };
  }
  if (!isReadable(found)) {
    return refused(subject, `the target has one that cannot be read: ${found.unreadable}`);
  }
  if (rowContent(found as ImportedRow) === rowContent(row)) return equal(subject);
  if (row.kind === 'IPAMConfig') {
    return {
      item: {
        action: 'set-configuration',
        subject,
        precondition: AS_READ,
        reason: 'the file has other settings',
      },
      change: { type: 'update-row', row },
    };
  }
  return refused(subject, differingReason(rowDifferences(row, found as ImportedRow)));
}

/** Compares an object of the file with the one of its name in the target. */
export function compareObject(
  kind: ObjectKind,
  object: JsonObject,
  found: JsonObject | undefined,
): Compared {
  if (kind === 'Node') return compareNode(object, found);
  const subject: PlanSubject = { kind, ...keyOf(object) };
  if (found === undefined) {
    return {
      item: {
        action: 'create-object',
        subject,
        precondition: NEW,
        reason: 'the target does not have it',
      },
      change: { type: 'create-object', kind, object },
    };
  }
  if (objectContent(kind, found) === objectContent(kind, object)) return equal(subject);
  const differences = objectDifferences(kind, object, found);
  if (!isMadeByCalico(kind, subject.name)) return refused(subject, differingReason(differences));
  return {
    item: {
      action: 'set-configuration',
      subject,
      precondition: AS_READ,
      reason: `Calico makes it by itself, and the file says otherwise: ${differences.join(', ')}`,
    },
    change: { type: 'update-object', kind, object },
  };
}

/** A row of the target that the file does not have; undefined for one that does no harm. */
export function compareForeignRow(found: Row): Compared | undefined {
  if (isReadable(found)) {
    if ('deleted' in found && found.deleted) return undefined;
    if (found.kind === 'IPAMConfig' && isPlainConfig(found)) return undefined;
  }
  return refused(foundSubject(found), 'the target has it and the file does not');
}

/** An object of the target that the file does not have. */
export function compareForeignObject(kind: ObjectKind, found: JsonObject): Compared {
  return refused({ kind, ...keyOf(found) }, 'the target has it and the file does not');
}

/** The object with what the file says, to be written over the one of the target. */
export function updatedObject(
  kind: ObjectKind,
  object: JsonObject,
  found: JsonObject,
): JsonObject | undefined {
  if (kind === 'Node') return mergedNode(found, object);
  if (objectContent(kind, found) === objectContent(kind, object)) return undefined;
  const { labels: _labels, annotations: _annotations, ...kept } = found['metadata'] as JsonObject;
  const { labels, annotations } = object['metadata'] as JsonObject;
  const metadata = {
    ...kept,
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
  };
  return { ...found, metadata, spec: object['spec'] ?? {} };
}

/** The row as an item names it. */
export function rowSubject(row: ImportedRow): PlanSubject {
  return {
    kind: row.kind,
    name: row.key.name,
    cidr: 'cidr' in row ? formatCidr(row.cidr) : undefined,
    node: row.kind === 'BlockAffinity' ? row.host : undefined,
    handle: row.kind === 'IPAMHandle' ? comparableHandleId(row.id) : undefined,
  };
}

function compareNode(object: JsonObject, found: JsonObject | undefined): Compared {
  const subject: PlanSubject = { kind: 'Node', ...keyOf(object) };
  if (found === undefined) {
    return {
      item: {
        action: 'update-node',
        subject,
        precondition: '',
        reason: 'Kubernetes has no node of this name',
        kept: 'harmless',
      },
    };
  }
  if (mergedNode(found, object) === undefined) return equal(subject);
  return {
    item: {
      action: 'update-node',
      subject,
      precondition: AS_READ,
      reason: 'what Calico knows of the node is noted on it',
    },
    change: { type: 'update-object', kind: 'Node', object },
  };
}

/** What was left behind half deleted is cleared away when its place is needed. */
function isLeftover(found: Row, row: ImportedRow): boolean {
  if (!isReadable(found) || !('deleted' in found) || !found.deleted) return false;
  return rowContent(found) !== rowContent(row);
}

function isMadeByCalico(kind: ObjectKind, name: string): boolean {
  return kind === 'Tier' ? TIERS.has(name) : CONFIGURATIONS.has(kind) && name === CONFIG_NAME;
}

/** A configuration that says what holds without one. */
function isPlainConfig(row: IpamConfigRow): boolean {
  return rowContent(row) === rowContent({ ...row, ...DEFAULT_IPAM_CONFIG });
}

function foundSubject(found: Row): PlanSubject {
  return isReadable(found)
    ? rowSubject(found as ImportedRow)
    : { kind: found.kind, name: keyText(found.key) };
}

function equal(subject: PlanSubject): Compared {
  const action = subject.kind === 'Node' ? 'update-node' : 'create-object';
  const reason = 'the target has it already';
  return { item: { action, subject, precondition: '', reason, kept: 'already' } };
}

function refused(subject: PlanSubject, reason: string): Compared {
  return { item: { action: 'create-object', subject, precondition: '', reason, kept: 'refusal' } };
}

function differingReason(differences: readonly string[]): string {
  return `the target has another one; they differ in: ${differences.join(', ')}`;
}
