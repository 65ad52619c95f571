import { formatCidr } from '../../net/cidr.ts';
import type { AffinityRow } from '../model/affinity.ts';
import type { HandleRow } from '../model/handle.ts';
import type { IpamConfigRow } from '../model/ipam-config.ts';
import { affinityEntryName, affinityName, handleName } from '../model/names.ts';
import type { JsonObject, JsonValue } from '../model/resource.ts';
import type { HealingTally } from './healing.ts';
import type { LoweredCounts } from './lowered-counts.ts';
import { cutHandleId, type NodeNames } from './node-names.ts';

/** A row as the migration file has it. */
export interface CarriedRow {
  /** Behind the folder of its kind in the layout of etcd. */
  readonly entryName: string;
  /** Name of the row in Kubernetes, which two rows must not share. */
  readonly objectName: string;
  readonly value: JsonObject;
}

/** What decides how a row is carried. */
export interface CarryRules {
  readonly names: NodeNames;
  readonly lowered: LoweredCounts;
  readonly tally: HealingTally;
}

const OLD_TYPE = '@/';

/** The claim of a block, under the name of its owner in Kubernetes; undefined when the owner is left out. */
export function carryAffinity(
  row: AffinityRow,
  { names, tally }: Pick<CarryRules, 'names' | 'tally'>,
): CarriedRow | undefined {
  const { type, host, cidr, state, object = {} } = row;
  const isHost = type === 'host';
  if (isHost && names.isSkipped(host)) return undefined;
  if (row.key.name.startsWith(OLD_TYPE)) tally.add('old-affinity-type');
  if (typeof object['state'] !== 'string') tally.add('empty-affinity');
  else if (typeof object['deleted'] !== 'boolean') tally.add('missing-deleted');
  const owner = isHost ? names.nameOf(host) : host;
  return {
    entryName: affinityEntryName({ type, host: owner }, cidr),
    objectName: affinityName(owner, cidr),
    value: { ...object, state, deleted: row.deleted },
  };
}

/** A handle under its id in Kubernetes; undefined when nothing of it is left. */
export function carryHandle(
  row: HandleRow,
  { names, lowered, tally }: CarryRules,
): CarriedRow | undefined {
  if (names.isSkippedHandle(row.id)) return undefined;
  const own = cutHandleId(row.id);
  const counts = row.counts.map(({ text, cidr, count }) => {
    const block = cidr === undefined ? text : formatCidr(cidr);
    return { block: text, count, left: lowered.lower(own, block, count) };
  });
  const isLowered = counts.some(({ count, left }) => left < count);
  const left = isLowered ? counts.filter((entry) => entry.left > 0) : counts;
  if (isLowered && left.length === 0) return undefined;
  healHandle(row, own, tally);
  const id = names.handleId(row.id);
  return {
    entryName: id,
    objectName: handleName(id),
    value: {
      ...row.object,
      block: Object.fromEntries(
        left.map((entry): [string, JsonValue] => [entry.block, entry.left]),
      ),
      deleted: row.deleted,
    },
  };
}

function healHandle({ id, object = {} }: HandleRow, own: string, tally: HealingTally): void {
  if (own !== id) tally.add('handle-id-cut');
  if (typeof object['deleted'] !== 'boolean') tally.add('missing-deleted');
  if ((object['block'] ?? undefined) === undefined) tally.add('null-values');
}

/** The configuration of IPAM as it is stored, where what is false, zero or unset may be left out. */
export function carryConfig({ object = {}, key }: IpamConfigRow): CarriedRow {
  return { entryName: key.name, objectName: key.name, value: object };
}
