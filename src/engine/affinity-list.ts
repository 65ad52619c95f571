import type { BlockOwner } from '../ipam/block-owner.ts';
import type { AffinityRow } from '../ipam/model/affinity.ts';
import type { JsonObject, JsonValue } from '../ipam/model/resource.ts';
import type { Family } from '../net/address.ts';
import { cidrFamily } from '../net/cidr.ts';
import type { EngineContext } from './engine-context.ts';

/** Label with the type of an affinity's owner. */
const TYPE_LABEL = 'projectcalico.org/affinity-type';

/**
 * Affinities of one owner and family, whatever their state, in the order of their names. In Kubernetes they are found by
 * their labels, so rows of old releases are not seen until {@link upgradeHost} has labelled them.
 */
export async function affinitiesOf(
  { store }: EngineContext,
  owner: BlockOwner,
  family: Family,
): Promise<readonly AffinityRow[]> {
  const rows = await store.affinities(
    ({ host, type, cidr }) =>
      host === owner.host && type === owner.type && cidrFamily(cidr) === family,
  );
  if (store.keys.form === 'entry') return rows;
  return rows.filter((row) => row.labelled !== false && typeLabel(row) === owner.type);
}

/** The label with the type of the owner; undefined when the row has none. */
export function typeLabel({ object }: AffinityRow): string | undefined {
  const labels = memberOf(memberOf(object, 'metadata'), 'labels');
  const label = isObject(labels) ? labels[TYPE_LABEL] : undefined;
  return typeof label === 'string' ? label : undefined;
}

function memberOf(holder: JsonValue | undefined, name: string): JsonValue | undefined {
  return isObject(holder) ? holder[name] : undefined;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
