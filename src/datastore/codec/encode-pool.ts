import type { PoolRow } from '../../ipam/model/pool.ts';
import type { JsonObject, JsonValue } from '../../ipam/model/resource.ts';
import { formatCidr } from '../../net/cidr.ts';
import { type FieldValues, mergeFields } from './encode-fields.ts';
import { decodePool } from './pool.ts';

/** What Calico's client puts into a pool that does not say otherwise. */
const NEW_POOL: JsonObject = { vxlanMode: 'Never', ipipMode: 'Never' };

/**
 * The spec of a pool over the one that was read. Only what changed is written: the defaults that a read fills in, and the
 * spelling of an unchanged prefix, stay as they are.
 *
 * Source: Calico libcalico-go lib/clientv3 ippool.go, defaults of a new pool.
 */
export function encodePoolSpec(row: PoolRow, base: JsonObject): JsonObject {
  const fields = poolFields(row);
  if (base['cidr'] === undefined) return mergeFields({ ...NEW_POOL, ...base }, fields);
  const before = poolFields(
    decodePool({ name: row.key.name, labels: {}, annotations: {} }, { spec: base }),
  );
  const changed = Object.entries(fields).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  );
  return mergeFields(base, Object.fromEntries(changed));
}

function poolFields(row: PoolRow): FieldValues {
  return {
    cidr: formatCidr(row.cidr),
    blockSize: row.blockSize,
    nodeSelector: row.nodeSelector,
    allowedUses: [...row.allowedUses] as JsonValue[],
    assignmentMode: row.assignmentMode,
    disabled: row.disabled || undefined,
    namespaceSelector: row.namespaceSelector === '' ? undefined : row.namespaceSelector,
  };
}
