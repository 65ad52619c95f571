import { copyOf, metadataOf } from '../../ipam/model/object-metadata.ts';
import type { JsonObject, ResourceKey } from '../../ipam/model/resource.ts';
import { OBJECT_TYPES, type ObjectKind, type StoredKind } from '../object-store.ts';
import { resourceKindOf } from './decode.ts';
import { objectMember } from './encode-fields.ts';
import { withoutManagedFields } from './encode-metadata.ts';
import { foldMetadata, unfoldMetadata } from './folded-metadata.ts';
import { nodeOfKubernetes } from './node-annotations.ts';

/** Group and version in which whole objects are shown. */
export const SHOWN_VERSION = 'projectcalico.org/v3';

const OLDER_VERSION = 'crd.projectcalico.org/v1';

const GROUP = /^(?:crd\.)?projectcalico\.org\//;

/** Kinds whose objects may be stored under another name than theirs, which then stands in the copy of the metadata. */
const POLICIES: ReadonlySet<ObjectKind> = new Set<ObjectKind>([
  'GlobalNetworkPolicy',
  'StagedGlobalNetworkPolicy',
  'NetworkPolicy',
  'StagedNetworkPolicy',
]);

/** Before the name of policies of the default tier in releases that stored them so. */
const TIER_PREFIX = 'default.';

/** In which of the two groups an object is stored. */
export type ObjectFlavor = 'crd' | 'v3';

/** The kind that an object of this type is stored as, rows of IPAM and whole objects alike; undefined for foreign types. */
export function storedKindOf(apiVersion: string, kind: string): StoredKind | undefined {
  const known = resourceKindOf(apiVersion, kind);
  if (known !== undefined || !GROUP.test(apiVersion) || kind === 'Node') return known;
  return isObjectKind(kind) ? kind : undefined;
}

/** Whether a kind is carried as whole objects. */
export function isObjectKind(kind: string): kind is ObjectKind {
  return Object.hasOwn(OBJECT_TYPES, kind);
}

/**
 * A stored object of either group, or a Kubernetes node, as the newer group shows it.
 * Source: Calico libcalico-go lib/backend/k8s/resources customresource.go, conversion to the versioned resource.
 */
export function shownObject(kind: ObjectKind, stored: JsonObject): JsonObject {
  const { apiVersion, kind: _kind, metadata: _metadata, ...rest } = stored;
  if (kind === 'Node' && apiVersion === 'v1') return nodeOfKubernetes(stored);
  const metadata =
    apiVersion === OLDER_VERSION
      ? unfoldNamed(kind, stored)
      : metadataOf(withoutManagedFields(stored));
  return { apiVersion: SHOWN_VERSION, kind, metadata, ...rest };
}

/**
 * What is stored for an object.
 *
 * @param base The object as it is stored now; absent for one that is new.
 */
export function storedObject(
  kind: ObjectKind,
  shown: JsonObject,
  { flavor, base }: { readonly flavor: ObjectFlavor; readonly base?: JsonObject | undefined },
): JsonObject {
  const { apiVersion: _version, kind: _kind, metadata: _metadata, ...rest } = shown;
  const own = metadataOf(shown);
  const metadata =
    flavor === 'v3'
      ? own
      : foldMetadata(own, { keepsName: POLICIES.has(kind), base: base && metadataOf(base) });
  return {
    apiVersion: flavor === 'v3' ? SHOWN_VERSION : OLDER_VERSION,
    kind,
    metadata,
    ...rest,
  };
}

/** Name and, for namespaced kinds, namespace of a shown object; the name is empty when it has none. */
export function objectKey(kind: ObjectKind, shown: JsonObject): ResourceKey {
  const { name, namespace } = metadataOf(shown);
  const key = { name: typeof name === 'string' ? name : '' };
  return OBJECT_TYPES[kind].isNamespaced && typeof namespace === 'string' && namespace !== ''
    ? { namespace, ...key }
    : key;
}

/** Names under which the older group may store an object that is shown as this one, the likeliest first. */
export function storedNames(kind: ObjectKind, name: string): readonly string[] {
  return POLICIES.has(kind) ? [name, `${TIER_PREFIX}${name}`] : [name];
}

/** Policies of old releases were stored with the default tier in their name, and without a copy of the name. */
function unfoldNamed(kind: ObjectKind, stored: JsonObject): JsonObject {
  const metadata = unfoldMetadata(metadataOf(withoutManagedFields(stored)));
  const { name } = metadata;
  const isPrefixed =
    POLICIES.has(kind) &&
    typeof name === 'string' &&
    name.startsWith(TIER_PREFIX) &&
    !copyOf(stored)?.['name'];
  if (!isPrefixed) return metadata;
  const { tier } = objectMember(stored, 'spec');
  const isDefault = tier === undefined || tier === null || tier === '' || tier === 'default';
  return isDefault ? { ...metadata, name: name.slice(TIER_PREFIX.length) } : metadata;
}
