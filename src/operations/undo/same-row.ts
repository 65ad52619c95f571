import type { WritableRow } from '../../datastore/datastore.ts';
import type { BlockAttribute, BlockRow } from '../../ipam/model/block.ts';
import type { ClusterInformationRow } from '../../ipam/model/cluster-information.ts';
import type { HandleRow } from '../../ipam/model/handle.ts';
import type { IpamConfigRow } from '../../ipam/model/ipam-config.ts';
import { marksOf } from '../../ipam/marks.ts';
import { objectOf } from '../../ipam/model/object-metadata.ts';
import type { PoolRow } from '../../ipam/model/pool.ts';
import { formatCidr } from '../../net/cidr.ts';
import { stringifyJson } from '../../support/json.ts';

/**
 * Whether two rows say the same: sequence numbers, revisions, uids, times that servers set and the order of the free
 * queue aside. Two absent rows are the same.
 */
export function isSameRow(a: WritableRow | undefined, b: WritableRow | undefined): boolean {
  return rowText(a) === rowText(b);
}

/** A row as a text that is equal for rows that say the same; undefined for none. */
export function rowText(row: WritableRow | undefined): string | undefined {
  return row && `${row.kind} ${contentOf(row)}`;
}

/** What an ordinal of a block holds, as a text that is equal for equal contents; undefined when it is free. */
export function slotText(row: BlockRow, ordinal: number): string | undefined {
  const index = row.allocations[ordinal];
  const attribute = typeof index === 'number' ? row.attributes[index] : undefined;
  return attribute && attributeText(attribute);
}

/** An attribute record as a text that is equal for equal contents. */
export function attributeText({
  handle,
  owner,
  alternateOwner,
  releasedAt,
}: BlockAttribute): string {
  const alternate = alternateOwner === undefined ? {} : alternateOwner;
  return stringifyJson([handle ?? null, sorted(owner), sorted(alternate), releasedAt ?? null]);
}

function contentOf(row: WritableRow): string {
  switch (row.kind) {
    case 'IPAMBlock':
      return stringifyJson([formatCidr(row.cidr), row.affinity ?? null, row.deleted, slotsOf(row)]);
    case 'IPAMHandle':
      return stringifyJson([row.id, row.deleted, countsOf(row)]);
    case 'BlockAffinity':
      return stringifyJson([
        row.type,
        row.host,
        formatCidr(row.cidr),
        row.state || 'confirmed',
        row.deleted,
        row.labelled ?? true,
      ]);
    case 'IPPool':
      return stringifyJson(poolContent(row));
    default:
      return stringifyJson(settingsOf(row));
  }
}

function settingsOf(row: IpamConfigRow | ClusterInformationRow): readonly unknown[] {
  if (row.kind === 'IPAMConfig') {
    const { strictAffinity, autoAllocateBlocks, maxBlocksPerHost, ipCooldownSeconds } = row;
    const { kubeVirtVMAddressPersistence: persistence } = row;
    return [strictAffinity, autoAllocateBlocks, maxBlocksPerHost, ipCooldownSeconds, persistence];
  }
  const { clusterGUID, clusterType, calicoVersion, datastoreReady } = row;
  return [clusterGUID, clusterType, calicoVersion, datastoreReady].map((value) => value ?? null);
}

/** Its status is the server's and does not count; a mark of ours does, for it says what is not finished. */
function poolContent(row: PoolRow): readonly unknown[] {
  const { ipipMode, vxlanMode, natOutgoing, disableBGPExport } = objectOf(row.object?.['spec']);
  return [
    formatCidr(row.cidr),
    row.blockSize,
    row.disabled,
    row.nodeSelector,
    row.namespaceSelector,
    [...row.allowedUses].sort(),
    row.assignmentMode,
    ipipMode ?? 'Never',
    vxlanMode ?? 'Never',
    natOutgoing ?? false,
    disableBGPExport ?? false,
    sorted(marksOf(row.object)),
  ];
}

function slotsOf(row: BlockRow): readonly (string | null)[] {
  return row.allocations.map((_, ordinal) => slotText(row, ordinal) ?? null);
}

function countsOf({ counts }: HandleRow): readonly (readonly [string, number])[] {
  return counts
    .map(({ text, cidr, count }) => [cidr === undefined ? text : formatCidr(cidr), count] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function sorted(
  attributes: Readonly<Record<string, string>>,
): readonly (readonly [string, string])[] {
  return Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1));
}
