import { metadataOf, ownTexts, type TextMap } from '../../ipam/model/object-metadata.ts';
import type { JsonObject, JsonValue } from '../../ipam/model/resource.ts';
import { mergeFields, objectMember, sortedMap } from './encode-fields.ts';
import { isObject } from './fields.ts';
import { ANNOTATION_PREFIX, NODE_FIELDS, type NodeField } from './node-fields.ts';
import { parseCopy } from './object-head.ts';

const LABELS = `${ANNOTATION_PREFIX}labels`;
const ANNOTATIONS = `${ANNOTATION_PREFIX}annotations`;
/** Shown annotation that says which labels are those of Kubernetes. */
const KUBERNETES_LABELS = `${ANNOTATION_PREFIX}kube-labels`;
/** Addresses of the Kubernetes node that Calico shows, by their type. */
const SHOWN_ADDRESSES: ReadonlySet<JsonValue> = new Set(['InternalIP', 'ExternalIP']);

/**
 * Calico's node as the annotations of a Kubernetes node say it. Texts that Calico does not accept are left out, others
 * stay as they are.
 *
 * Departs from upstream: addresses that Calico computes from `podCIDR` when it is told to use it are not made up.
 * Source: Calico libcalico-go lib/backend/k8s/resources node.go, conversion of a Kubernetes node.
 */
export function nodeOfKubernetes(node: JsonObject): JsonObject {
  const { name, uid, resourceVersion, creationTimestamp, deletionTimestamp } = metadataOf(node);
  const labels = ownTexts(node, 'labels');
  const annotations = ownTexts(node, 'annotations');
  const shown: JsonObject = {};
  for (const field of NODE_FIELDS) {
    const text = annotations[field.annotation];
    const value = text === undefined || text === '' ? undefined : field.read(text);
    if (value !== undefined) setMember(shown, field.path, value);
  }
  const spec = objectMember(shown, 'spec');
  const allLabels = { ...textsOf(annotations[LABELS]), ...labels };
  const kubernetesLabels = Object.keys(labels).length === 0 ? null : sortedMap(labels);
  return {
    apiVersion: 'projectcalico.org/v3',
    kind: 'Node',
    metadata: mergeFields(
      {},
      {
        name,
        uid,
        resourceVersion,
        creationTimestamp,
        deletionTimestamp,
        labels: Object.keys(allLabels).length === 0 ? undefined : allLabels,
        annotations: {
          ...textsOf(annotations[ANNOTATIONS]),
          [KUBERNETES_LABELS]: JSON.stringify(kubernetesLabels),
        },
      },
    ),
    spec: mergeFields(spec, {
      addresses: addressesOf(spec, node),
      orchRefs: [{ nodeName: name ?? '', orchestrator: 'k8s' }],
    }),
    ...statusOf(objectMember(shown, 'status'), node),
  };
}

/**
 * The Kubernetes node with the fields, labels and annotations of Calico's node in its annotations. What that node does not
 * have stays as it is, and labels that Kubernetes itself knows stay those of Kubernetes. The same object when there is
 * nothing to change.
 *
 * Departs from upstream, which erases the annotations of absent fields.
 */
export function withNodeFields(node: JsonObject, shown: JsonObject): JsonObject {
  const before = ownTexts(node, 'annotations');
  const known = ownTexts(node, 'labels');
  const changes = new Map<string, string>();
  for (const field of NODE_FIELDS) {
    const value = memberAt(shown, field.path);
    const text = value === undefined || value === null ? undefined : field.write(value);
    if (text !== undefined && text !== '') changes.set(field.annotation, text);
  }
  const labels = without(ownTexts(shown, 'labels'), (key) => Object.hasOwn(known, key));
  const annotations = without(ownTexts(shown, 'annotations'), (key) => key === KUBERNETES_LABELS);
  addTexts(changes, LABELS, { before, texts: labels });
  addTexts(changes, ANNOTATIONS, { before, texts: annotations });
  if ([...changes].every(([name, text]) => before[name] === text)) return node;
  const metadata = metadataOf(node);
  return {
    ...node,
    metadata: {
      ...metadata,
      annotations: { ...objectMember(metadata, 'annotations'), ...Object.fromEntries(changes) },
    },
  };
}

/** Texts are stored as one JSON map, over those that are stored already. */
function addTexts(
  changes: Map<string, string>,
  name: string,
  { before, texts }: { readonly before: TextMap; readonly texts: TextMap },
): void {
  const stored = textsOf(before[name]);
  if (Object.entries(texts).every(([key, value]) => stored[key] === value)) return;
  changes.set(name, JSON.stringify(sortedMap({ ...stored, ...texts })));
}

function without(texts: TextMap, isLeftOut: (key: string) => boolean): TextMap {
  return Object.fromEntries(Object.entries(texts).filter(([key]) => !isLeftOut(key)));
}

function setMember(target: JsonObject, path: NodeField['path'], value: JsonValue): void {
  let holder = target;
  for (const name of path.slice(0, -1)) {
    const inner = objectMember(holder, name);
    holder[name] = inner;
    holder = inner;
  }
  holder[path.at(-1) ?? ''] = value;
}

function memberAt(object: JsonObject, path: NodeField['path']): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const name of path) value = isObject(value) ? value[name] : undefined;
  return value;
}

/** Calico's own addresses first, then those of the machine. */
function addressesOf(spec: JsonObject, node: JsonObject): JsonValue | undefined {
  const { ipv4Address, ipv6Address } = objectMember(spec, 'bgp');
  const own = [ipv4Address, ipv6Address]
    .filter((address) => address !== undefined)
    .map((address) => ({ address, type: 'CalicoNodeIP' }));
  const { addresses } = objectMember(node, 'status');
  const listed = (Array.isArray(addresses) ? addresses : []).filter(isObject);
  const others = listed
    .filter(({ type }) => SHOWN_ADDRESSES.has(type ?? null))
    .map(({ address, type }) => ({ address: address ?? '', type: type ?? '' }));
  const all = [...own, ...others];
  return all.length === 0 ? undefined : all;
}

function statusOf(status: JsonObject, node: JsonObject): { readonly status?: JsonObject } {
  const { podCIDRs } = objectMember(node, 'spec');
  const shown = mergeFields(status, { podCIDRs });
  return Object.keys(shown).length === 0 ? {} : { status: shown };
}

/** Texts of a JSON map; a text that is none holds none. */
function textsOf(text: string | undefined): TextMap {
  const map = text === undefined ? undefined : parseCopy(text);
  const entries = Object.entries(map ?? {});
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
