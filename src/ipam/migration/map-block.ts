import { ownerOfAffinity } from '../block-owner.ts';
import type { JsonObject, JsonValue } from '../model/resource.ts';
import { isJsonObject, textAt } from './json-value.ts';
import type { NodeNames } from './node-names.ts';

/**
 * The value of a block with the names of its nodes in Kubernetes: owner, both attribute maps, handles of tunnels. A virtual
 * owner is no node, whatever its name.
 * Source: calicoctl commands/datastore/migrate/migrateipam.go.
 *
 * Departs from upstream: all five kinds of tunnel handles are renamed, and the type of an owner is kept.
 */
export function mapBlock(value: JsonObject, names: NodeNames): JsonObject {
  const { attributes } = value;
  return {
    ...value,
    affinity: mapOwner(textAt(value, 'affinity'), names) ?? null,
    attributes: Array.isArray(attributes)
      ? attributes.map((entry) => (isJsonObject(entry) ? mapAttribute(entry, names) : entry))
      : [],
  };
}

function mapOwner(affinity: string | undefined, names: NodeNames): string | undefined {
  const owner = ownerOfAffinity(affinity);
  return owner?.type === 'host' ? `host:${names.nameOf(owner.host)}` : affinity;
}

function mapAttribute(attribute: JsonObject, names: NodeNames): JsonObject {
  return Object.fromEntries(
    Object.entries(attribute).map(([name, value]) => [name, mapMember(name, value, names)]),
  );
}

function mapMember(name: string, value: JsonValue, names: NodeNames): JsonValue {
  if (name === 'handle_id' && typeof value === 'string') return names.handleId(value);
  const isOwner = name === 'secondary' || name === 'alternateOwnerAttrs';
  const node = isOwner && isJsonObject(value) ? value['node'] : undefined;
  return isJsonObject(value) && typeof node === 'string'
    ? { ...value, node: names.nameOf(node) }
    : value;
}
