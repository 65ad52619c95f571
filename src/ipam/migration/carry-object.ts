import type { JsonObject, JsonValue } from '../model/resource.ts';
import { isJsonObject, objectAt, textAt, without } from './json-value.ts';
import type { NodeNames } from './node-names.ts';

/** What a server knows of an object and another one must not be told. */
const SERVER_FIELDS: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'finalizers',
  'generation',
  'managedFields',
  'ownerReferences',
  'resourceVersion',
  'selfLink',
  'uid',
]);

/** Settings that old releases wrote in capitals. */
const FELIX_ACTIONS = [
  'defaultEndpointToHostAction',
  'iptablesFilterAllowAction',
  'iptablesFilterDenyAction',
  'iptablesMangleAllowAction',
];

/** Names of policies that mirror those of Kubernetes, which has them itself. */
const MIRRORED_POLICY = 'knp.default.';

const NODE_CONFIGURATION = 'node.';
const AUTOMATIC_ENDPOINT = '-auto-hep';

/** How a kind names nodes. */
type NodeReference = 'name' | 'configuration' | 'spec' | 'endpoint';

const REFERENCES: Readonly<Record<string, NodeReference>> = {
  Node: 'name',
  BGPConfiguration: 'configuration',
  FelixConfiguration: 'configuration',
  BGPPeer: 'spec',
  CalicoNodeStatus: 'spec',
  HostEndpoint: 'endpoint',
};

/** Whether an object is one that the target makes by itself. */
export function isMirrored(kind: string, object: JsonObject): boolean {
  return kind === 'NetworkPolicy' && nameOf(object).startsWith(MIRRORED_POLICY);
}

/**
 * An object as the migration file has it: without what its server knows of it, and with the names that nodes have in
 * Kubernetes. Undefined when it belongs to a node that is left out.
 * Source: calicoctl commands/datastore/migrate/export.go.
 *
 * Departs from upstream: BGP peers, host endpoints and node statuses name their node in Kubernetes, too.
 */
export function carryObject(
  kind: string,
  object: JsonObject,
  names: NodeNames,
): JsonObject | undefined {
  const reference = REFERENCES[kind];
  const node = reference === undefined ? undefined : nodeIn(object, reference);
  if (node !== undefined && names.isSkipped(node)) return undefined;
  const cleaned = { ...object, metadata: without(objectAt(object, 'metadata'), SERVER_FIELDS) };
  const normal = kind === 'FelixConfiguration' ? withNormalActions(cleaned) : cleaned;
  if (reference === undefined || node === undefined) return normal;
  return renamed(normal, { reference, node, to: names.nameOf(node) });
}

/** The node that the object is of. */
function nodeIn(object: JsonObject, reference: NodeReference): string | undefined {
  if (reference === 'name') return nameOf(object);
  if (reference !== 'configuration') return textAt(objectAt(object, 'spec'), 'node');
  const name = nameOf(object);
  return name.startsWith(NODE_CONFIGURATION) ? name.slice(NODE_CONFIGURATION.length) : undefined;
}

interface Renaming {
  readonly reference: NodeReference;
  readonly node: string;
  readonly to: string;
}

function renamed(object: JsonObject, { reference, node, to }: Renaming): JsonObject {
  switch (reference) {
    case 'name':
      return withName(object, to);
    case 'configuration':
      return withName(object, NODE_CONFIGURATION + to);
    case 'spec':
      return withNode(object, to);
    case 'endpoint':
      return withName(withNode(object, to), endpointName(nameOf(object), node, to));
  }
}

/** Endpoints that Calico made for a node are called after it; Calico looks for them under that name. */
function endpointName(name: string, node: string, to: string): string {
  const isAutomatic = name.startsWith(`${node}-`) && name.endsWith(AUTOMATIC_ENDPOINT);
  return isAutomatic ? to + name.slice(node.length) : name;
}

function withName(object: JsonObject, name: string): JsonObject {
  return { ...object, metadata: { ...objectAt(object, 'metadata'), name } };
}

function withNode(object: JsonObject, node: string): JsonObject {
  return { ...object, spec: { ...objectAt(object, 'spec'), node } };
}

function withNormalActions(object: JsonObject): JsonObject {
  const { spec } = object;
  if (!isJsonObject(spec)) return object;
  const members = Object.entries(spec).map(([name, value]): [string, JsonValue] => [
    name,
    FELIX_ACTIONS.includes(name) && typeof value === 'string' ? capitalized(value) : value,
  ]);
  return { ...object, spec: Object.fromEntries(members) };
}

/** `DROP` as `Drop`. */
function capitalized(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase();
}

function nameOf(object: JsonObject): string {
  return textAt(objectAt(object, 'metadata'), 'name') ?? '';
}
