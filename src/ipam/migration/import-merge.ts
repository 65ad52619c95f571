import type { ClusterInformationRow } from '../model/cluster-information.ts';
import { MARK_DOMAIN } from '../marks.ts';
import {
  metadataOf,
  objectOf,
  readTexts,
  type TextMap,
  withAnnotation,
} from '../model/object-metadata.ts';
import type { JsonObject, JsonValue } from '../model/resource.ts';
import { canonicalText } from './import-equal.ts';

/** Tag by which Calico marks clusters whose datastore is Kubernetes. */
const KUBERNETES_TAG = 'kdd';

/** Annotation in which Calico repeats the labels that Kubernetes gave a node. */
const KUBERNETES_LABELS = 'projectcalico.org/kube-labels';

/**
 * Fields of a node that Kubernetes keeps as annotations; the others follow from the Kubernetes node itself.
 * Source: Calico libcalico-go lib/backend/k8s/resources node.go.
 */
const NODE_FIELDS: readonly (readonly string[])[] = [
  ['spec', 'bgp', 'ipv4Address'],
  ['spec', 'bgp', 'ipv6Address'],
  ['spec', 'bgp', 'asNumber'],
  ['spec', 'bgp', 'routeReflectorClusterID'],
  ['spec', 'bgp', 'ipv4IPIPTunnelAddr'],
  ['spec', 'ipv4VXLANTunnelAddr'],
  ['spec', 'ipv6VXLANTunnelAddr'],
  ['spec', 'vxlanTunnelMACAddr'],
  ['spec', 'vxlanTunnelMACAddrV6'],
  ['spec', 'wireguard', 'interfaceIPv4Address'],
  ['spec', 'wireguard', 'interfaceIPv6Address'],
  ['spec', 'interfaces'],
  ['status', 'wireguardPublicKey'],
  ['status', 'wireguardPublicKeyV6'],
];

/**
 * A node with the fields, labels and annotations of the file set over its own, none erased; undefined when it has them all.
 * A label that Kubernetes gives the node stays as Kubernetes has it.
 */
export function mergedNode(target: JsonObject, wanted: JsonObject): JsonObject | undefined {
  let merged = target;
  for (const path of NODE_FIELDS) {
    const value = valueAt(wanted, path);
    if (value === undefined || value === '' || isSame(valueAt(target, path), value)) continue;
    merged = withValue(merged, path, value);
  }
  const metadata = { ...metadataOf(merged) };
  const labels = missingTexts(readTexts(target, 'labels'), wantedLabels(target, wanted));
  const annotations = missingTexts(readTexts(target, 'annotations'), wantedAnnotations(wanted));
  if (labels) metadata['labels'] = labels;
  if (annotations) metadata['annotations'] = annotations;
  if (labels || annotations) merged = { ...merged, metadata };
  return merged === target ? undefined : merged;
}

/**
 * The cluster's row with what the file says of it set, none erased: identity and version of the file, the tags of both and
 * that of Kubernetes; the lock stays as it is. Undefined when it says all that already.
 */
export function mergedCluster(
  row: ClusterInformationRow,
  wanted: JsonObject,
): ClusterInformationRow | undefined {
  const {
    clusterGUID,
    clusterType,
    calicoVersion,
    datastoreReady: _lock,
    ...others
  } = objectOf(wanted['spec']);
  const spec = objectOf(row.object?.['spec']);
  const changed = Object.entries(others).filter(([name, value]) => !isSame(spec[name], value));
  const merged = {
    clusterGUID: textOf(clusterGUID) ?? row.clusterGUID,
    calicoVersion: textOf(calicoVersion) ?? row.calicoVersion,
    clusterType: joinedTags([textOf(clusterType), row.clusterType, KUBERNETES_TAG]),
  };
  const object = withMetadataOf(row.object, wanted);
  const isEqual =
    changed.length === 0 &&
    object === row.object &&
    merged.clusterGUID === row.clusterGUID &&
    merged.calicoVersion === row.calicoVersion &&
    merged.clusterType === row.clusterType;
  if (isEqual) return undefined;
  return {
    ...row,
    ...merged,
    object: { ...object, spec: { ...spec, ...Object.fromEntries(changed) } },
  };
}

/** Identity that the file gives the cluster. */
export function clusterGuidOf(clusterInformation: JsonObject): string | undefined {
  return textOf(objectOf(clusterInformation['spec'])['clusterGUID']);
}

/** Version of Calico that wrote what the file holds. */
export function calicoVersionOf(clusterInformation: JsonObject): string | undefined {
  return textOf(objectOf(clusterInformation['spec'])['calicoVersion']);
}

/** Labels and annotations of the file over those of the object; marks of ipamctl are of the cluster that they stand in. */
function withMetadataOf(
  object: JsonObject | undefined,
  wanted: JsonObject,
): JsonObject | undefined {
  const annotations = Object.entries(wantedAnnotations(wanted));
  const current = readTexts(object, 'annotations');
  let merged = object;
  for (const [name, value] of annotations) {
    if (current[name] !== value) merged = withAnnotation(merged, name, value);
  }
  const labels = missingTexts(readTexts(object, 'labels'), readTexts(wanted, 'labels'));
  return labels ? { ...merged, metadata: { ...metadataOf(merged), labels } } : merged;
}

function wantedLabels(target: JsonObject, wanted: JsonObject): TextMap {
  const own = kubernetesLabels(target);
  return Object.fromEntries(
    Object.entries(readTexts(wanted, 'labels')).filter(([name]) => !own.has(name)),
  );
}

function wantedAnnotations(wanted: JsonObject): TextMap {
  return Object.fromEntries(
    Object.entries(readTexts(wanted, 'annotations')).filter(
      ([name]) => name !== KUBERNETES_LABELS && !name.startsWith(MARK_DOMAIN),
    ),
  );
}

/** Names of the labels that the node has from Kubernetes. */
function kubernetesLabels(node: JsonObject): ReadonlySet<string> {
  const text = readTexts(node, 'annotations')[KUBERNETES_LABELS];
  try {
    const labels = text === undefined ? {} : (JSON.parse(text) as JsonValue);
    return new Set(typeof labels === 'object' && labels !== null ? Object.keys(labels) : []);
  } catch {
    return new Set();
  }
}

/** Both, the wanted ones over the current ones; undefined when all wanted ones are there. */
function missingTexts(current: TextMap, wanted: TextMap): JsonObject | undefined {
  const isThere = Object.entries(wanted).every(([name, value]) => current[name] === value);
  return isThere ? undefined : { ...current, ...wanted };
}

function joinedTags(lists: readonly (string | undefined)[]): string {
  const tags = lists.flatMap((list) => (list ?? '').split(',')).map((tag) => tag.trim());
  return [...new Set(tags.filter((tag) => tag !== ''))].join(',');
}

/** Numbers and the texts that annotations make of them are the same value. */
function isSame(a: JsonValue | undefined, b: JsonValue): boolean {
  if (a === undefined) return false;
  const isPlain = typeof a !== 'object' && typeof b !== 'object';
  return isPlain ? String(a) === String(b) : canonicalText(a) === canonicalText(b);
}

function valueAt(object: JsonObject, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const name of path) value = objectOf(value)[name];
  return value === null ? undefined : value;
}

function withValue(object: JsonObject, path: readonly string[], value: JsonValue): JsonObject {
  const [name = '', ...rest] = path;
  const inner = rest.length === 0 ? value : withValue(objectOf(object[name]), rest, value);
  return { ...object, [name]: inner };
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
