import type { AffinityRow } from '../../ipam/model/affinity.ts';
import type { ClusterInformationRow } from '../../ipam/model/cluster-information.ts';
import type { HandleRow } from '../../ipam/model/handle.ts';
import type { IpamConfigRow } from '../../ipam/model/ipam-config.ts';
import { hostnameHash } from '../../ipam/model/names.ts';
import type { JsonObject, JsonValue } from '../../ipam/model/resource.ts';
import { cidrFamily, formatCidr } from '../../net/cidr.ts';
import type { WritableRow } from '../datastore.ts';
import { encodeBlockEntry, encodeBlockSpec } from './encode-block.ts';
import {
  type FieldValues,
  mergeFields,
  objectMember,
  orderFields,
  sortedMap,
} from './encode-fields.ts';
import { encodeMetadata } from './encode-metadata.ts';
import { encodePoolSpec } from './encode-pool.ts';
import { isObject } from './fields.ts';

/** How rows are stored: objects of the older group, objects of the newer one, or values of etcd keys. */
export type RowFlavor = 'crd' | 'v3' | 'etcd';

const API_VERSIONS = {
  crd: 'crd.projectcalico.org/v1',
  v3: 'projectcalico.org/v3',
} as const;

/** The flavor that an object's own version names; undefined for an etcd value or an object of another group. */
export function flavorOf(object: JsonObject | undefined): 'crd' | 'v3' | undefined {
  const version = object?.['apiVersion'];
  if (typeof version !== 'string') return undefined;
  if (version.startsWith('crd.projectcalico.org/')) return 'crd';
  return version.startsWith('projectcalico.org/') ? 'v3' : undefined;
}

/**
 * What is stored for a row: an object for `crd` and `v3`, the value of its key for `etcd`, exactly as Calico writes it.
 * Members of `row.object` that the row does not know survive, as do labels, annotations and finalizers.
 *
 * @throws {@link DataError} for a damaged block.
 */
export function encodeRow(row: WritableRow, flavor: RowFlavor): JsonObject {
  return flavor === 'etcd' ? encodeEntry(row) : encodeObject(row, flavor);
}

function encodeObject(row: WritableRow, flavor: 'crd' | 'v3'): JsonObject {
  const base = row.object ?? {};
  const spec = objectMember(base, 'spec');
  const encoded = encodeSpec(row, spec, flavor);
  return mergeFields(base, {
    apiVersion: base['apiVersion'] ?? API_VERSIONS[flavor],
    kind: base['kind'] ?? kindText(row, flavor),
    metadata: encodeMetadata(objectMember(base, 'metadata'), {
      name: row.key.name,
      uid: row.uid,
      revision: row.revision,
      labels: row.kind === 'BlockAffinity' ? affinityLabels(row, encoded['type']) : undefined,
      hasCopy: flavor === 'crd' && (isIpamRow(row) || row.object === undefined),
    }),
    spec: encoded,
  });
}

function kindText(row: WritableRow, flavor: 'crd' | 'v3'): string {
  return row.kind === 'IPAMConfig' && flavor === 'v3' ? 'IPAMConfiguration' : row.kind;
}

/** The rows in which Calico's library keeps no metadata of its own. */
function isIpamRow(row: WritableRow): boolean {
  return row.kind !== 'IPPool' && row.kind !== 'ClusterInformation';
}

function encodeSpec(row: WritableRow, base: JsonObject, flavor: 'crd' | 'v3'): JsonObject {
  switch (row.kind) {
    case 'IPAMBlock':
      return encodeBlockSpec(row, base);
    case 'BlockAffinity':
      return mergeFields(base, affinitySpec(row, base, flavor));
    case 'IPAMHandle':
      return mergeFields(base, { handleID: row.id, ...handleFields(row) });
    case 'IPAMConfig':
      return mergeFields(base, configSpec(row, flavor));
    case 'IPPool':
      return encodePoolSpec(row, base);
    case 'ClusterInformation':
      return mergeFields(base, clusterFields(row));
  }
}

/**
 * The value of an etcd key. Pools and the cluster information are whole resources there.
 * Source: Calico libcalico-go lib/backend/model.
 */
function encodeEntry(row: WritableRow): JsonObject {
  const base = row.object ?? {};
  switch (row.kind) {
    case 'IPAMBlock':
      return encodeBlockEntry(row, base);
    case 'BlockAffinity':
      return orderFields(base, { state: row.state, deleted: row.deleted });
    case 'IPAMHandle':
      return orderFields(base, handleFields(row));
    case 'IPAMConfig':
      return orderFields(base, configEntry(row));
    default:
      return encodeResource(row, base);
  }
}

function encodeResource(row: WritableRow, base: JsonObject): JsonObject {
  const object = encodeObject({ ...row, revision: undefined }, 'v3');
  return orderFields(object, {
    kind: object['kind'],
    apiVersion: base['apiVersion'] ?? API_VERSIONS.v3,
    metadata: object['metadata'],
    spec: object['spec'],
  });
}

/** A row of an old release that names no type keeps it so while only its labels are written. */
function affinitySpec(row: AffinityRow, base: JsonObject, flavor: 'crd' | 'v3'): FieldValues {
  const isTypeless = isObject(base) && base['state'] === row.state && !base['type'];
  return {
    state: row.state,
    node: row.host,
    type: isTypeless && row.type === 'host' ? base['type'] : row.type,
    cidr: formatCidr(row.cidr),
    deleted: flavor === 'crd' ? String(row.deleted) : row.deleted,
  };
}

/** Source: Calico libcalico-go lib/backend/k8s/resources affinityblock.go, labels of a block affinity. */
function affinityLabels(row: AffinityRow, type: JsonValue | undefined): Record<string, string> {
  return {
    'projectcalico.org/affinity-type': typeof type === 'string' ? type : '',
    'projectcalico.org/hostname-hash': hostnameHash(row.host),
    'projectcalico.org/ip-version': String(cidrFamily(row.cidr)),
  };
}

function handleFields(row: HandleRow): FieldValues {
  const counts = Object.fromEntries(row.counts.map(({ text, count }) => [text, count]));
  return { block: sortedMap(counts), deleted: row.deleted };
}

function configSpec(row: IpamConfigRow, flavor: 'crd' | 'v3'): FieldValues {
  return {
    strictAffinity: row.strictAffinity,
    autoAllocateBlocks: row.autoAllocateBlocks,
    // The newer group's schema would fill in the 0.
    maxBlocksPerHost: flavor === 'v3' ? row.maxBlocksPerHost : unlessZero(row.maxBlocksPerHost),
    kubeVirtVMAddressPersistence: persistenceOf(row),
    ipCooldownSeconds: unlessZero(row.ipCooldownSeconds),
  };
}

function configEntry(row: IpamConfigRow): FieldValues {
  return {
    strict_affinity: row.strictAffinity || undefined,
    auto_allocate_blocks: row.autoAllocateBlocks || undefined,
    maxBlocksPerHost: unlessZero(row.maxBlocksPerHost),
    kubeVirtVMAddressPersistence: persistenceOf(row),
    ipCooldownSeconds: unlessZero(row.ipCooldownSeconds),
  };
}

function unlessZero(value: number): number | undefined {
  return value === 0 ? undefined : value;
}

function persistenceOf(row: IpamConfigRow): string | undefined {
  return row.persistenceUnset === true ? undefined : row.kubeVirtVMAddressPersistence;
}

function clusterFields(row: ClusterInformationRow): FieldValues {
  const { clusterGUID, clusterType, calicoVersion, datastoreReady } = row;
  return { clusterGUID, clusterType, calicoVersion, datastoreReady };
}
