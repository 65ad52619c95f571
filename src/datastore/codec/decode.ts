import type { JsonObject, JsonValue, ResourceKind } from '../../ipam/model/resource.ts';
import type { Row } from '../../ipam/model/row.ts';
import { affinityRow, decodeAffinity } from './affinity.ts';
import { blockRow, decodeBlock } from './block.ts';
import { decodeClusterInformation, decodeControllersConfiguration } from './cluster-information.ts';
import { type EntryPath, parseEntryPath } from './entry-path.ts';
import { type FieldSource, isObject } from './fields.ts';
import { decodeHandle, handleRow } from './handle.ts';
import { decodeIpamConfig, etcdConfigRow } from './ipam-config.ts';
import { Misreading, wrongValue } from './misreading.ts';
import { decodeNode } from './node.ts';
import { type ObjectHead, readHead, unreadableRow } from './object-head.ts';
import { decodePod } from './pod.ts';
import { decodePool } from './pool.ts';
import { decodeReservation } from './reservation.ts';
import { decodeService } from './service.ts';
import { machineRow } from './virtual-machine.ts';
import { decodeWorkloadEndpoint } from './workload-endpoint.ts';

type Decoder = (head: ObjectHead, object: JsonObject) => Row | undefined;

const DECODERS: Readonly<Record<ResourceKind, Decoder>> = {
  ClusterInformation: decodeClusterInformation,
  KubeControllersConfiguration: decodeControllersConfiguration,
  IPAMConfig: decodeIpamConfig,
  IPPool: decodePool,
  IPReservation: decodeReservation,
  IPAMBlock: decodeBlock,
  IPAMHandle: decodeHandle,
  BlockAffinity: decodeAffinity,
  Node: decodeNode,
  Pod: decodePod,
  WorkloadEndpoint: decodeWorkloadEndpoint,
  Service: decodeService,
  VirtualMachine: (head) => machineRow(head, 'VirtualMachine'),
  VirtualMachineInstance: (head) => machineRow(head, 'VirtualMachineInstance'),
};

/** Kinds whose objects live in a namespace; a namespace of any other object is ignored. */
export const NAMESPACED: ReadonlySet<ResourceKind> = new Set<ResourceKind>([
  'Pod',
  'WorkloadEndpoint',
  'Service',
  'VirtualMachine',
  'VirtualMachineInstance',
]);

const CALICO_KINDS: readonly (readonly [string, ResourceKind])[] = [
  ['ClusterInformation', 'ClusterInformation'],
  ['KubeControllersConfiguration', 'KubeControllersConfiguration'],
  ['IPAMConfig', 'IPAMConfig'],
  ['IPPool', 'IPPool'],
  ['IPReservation', 'IPReservation'],
  ['IPAMBlock', 'IPAMBlock'],
  ['IPAMHandle', 'IPAMHandle'],
  ['BlockAffinity', 'BlockAffinity'],
];

const KINDS_BY_GROUP: ReadonlyMap<string, ReadonlyMap<string, ResourceKind>> = new Map([
  ['crd.projectcalico.org', new Map(CALICO_KINDS)],
  [
    'projectcalico.org',
    new Map([
      ...CALICO_KINDS,
      ['IPAMConfiguration', 'IPAMConfig'],
      ['Node', 'Node'],
      ['WorkloadEndpoint', 'WorkloadEndpoint'],
    ]),
  ],
  [
    '',
    new Map<string, ResourceKind>([
      ['Node', 'Node'],
      ['Pod', 'Pod'],
      ['Service', 'Service'],
    ]),
  ],
  [
    'kubevirt.io',
    new Map<string, ResourceKind>([
      ['VirtualMachine', 'VirtualMachine'],
      ['VirtualMachineInstance', 'VirtualMachineInstance'],
    ]),
  ],
]);

/**
 * The kind of row that an object of this type is, whatever the version of its group; undefined for a type that is not
 * read. Typed lists are types of their own, which callers take apart.
 */
export function resourceKindOf(apiVersion: string, kind: string): ResourceKind | undefined {
  const slash = apiVersion.indexOf('/');
  return KINDS_BY_GROUP.get(slash < 0 ? '' : apiVersion.slice(0, slash))?.get(kind);
}

/**
 * Reads a Kubernetes object of a known kind; undefined for one that is not ours to look at, such as a Service of another
 * type. It never throws: an object that cannot be read gives an unreadable row.
 */
export function decodeObject(kind: ResourceKind, object: JsonObject): Row | undefined {
  const read = readHead(object);
  const isNamespaced = NAMESPACED.has(kind);
  const head =
    isNamespaced || read.namespace === undefined ? read : { ...read, namespace: undefined };
  try {
    if (head.name === '') throw new Misreading(head.damage ?? 'metadata.name is missing');
    if (isNamespaced && head.namespace === undefined)
      throw new Misreading('metadata.namespace is missing');
    return DECODERS[kind](head, object);
  } catch (error) {
    return rowOfMisreading(kind, head, error);
  }
}

/**
 * Reads an entry of the etcd layout, from a migration file or etcd itself; undefined for a key that names nothing we look
 * at. It never throws: an entry that cannot be read gives an unreadable row.
 *
 * @param value The parsed value. A text that is no JSON is handed in as it is, the empty one (an affinity of old releases)
 * included; other values that are no objects make the row unreadable.
 */
export function decodeEntry(path: string, value: JsonValue): Row | undefined {
  const entry = parseEntryPath(path);
  if (!entry) return undefined;
  const head: ObjectHead = { ...entry.key, labels: {}, annotations: {} };
  try {
    return decodeEntryValue(entry, head, value);
  } catch (error) {
    return rowOfMisreading(entry.kind, head, error);
  }
}

function rowOfMisreading(kind: ResourceKind, head: ObjectHead, error: unknown): Row {
  if (!(error instanceof Misreading)) throw error;
  return unreadableRow(kind, head, { unreadable: error.message, node: error.node });
}

function decodeEntryValue(entry: EntryPath, head: ObjectHead, value: JsonValue): Row | undefined {
  if ('invalid' in entry) throw new Misreading(entry.invalid);
  switch (entry.kind) {
    case 'IPAMBlock':
      return blockRow(head, valueOf(value), entry.cidr);
    case 'BlockAffinity':
      return affinityRow(
        head,
        entry.identity,
        valueOf(value === '' || value === null ? {} : value),
      );
    case 'IPAMHandle':
      return handleRow(head, entry.id, valueOf(value));
    case 'IPAMConfig':
      return etcdConfigRow(head, valueOf(value).value);
    default:
      return decodeResource(entry.kind, head, valueOf(value).value);
  }
}

/** The name in the key is where a write would go; an object that calls itself otherwise is not what stands there. */
function decodeResource(
  kind: ResourceKind,
  keyHead: ObjectHead,
  object: JsonObject,
): Row | undefined {
  const head = readHead(object);
  if (head.name !== keyHead.name || (head.namespace ?? '') !== (keyHead.namespace ?? '')) {
    throw new Misreading('its metadata has another name than its key');
  }
  return decodeObject(kind, { apiVersion: 'projectcalico.org/v3', ...object });
}

function valueOf(value: JsonValue): FieldSource {
  if (isObject(value)) return { value, at: '' };
  throw new Misreading(wrongValue('its value', value, 'object'));
}
