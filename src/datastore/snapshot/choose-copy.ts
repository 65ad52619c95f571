import { DataError } from '../../errors/data-error.ts';
import type { JsonObject, JsonValue } from '../../ipam/model/resource.ts';
import type { StoredKind } from '../object-store.ts';
import { type Place, placeText } from './place.ts';
import { isObject, isSameObject } from './same-object.ts';

/** An object of the input and where it was found. */
export interface Copy {
  readonly object: JsonObject;
  readonly place: Place;
  /** Files that hold a copy of it, the chosen one or another. */
  readonly files?: readonly string[] | undefined;
}

/** Which of two copies of an object counts, and whether the other one said something else. */
export interface Choice {
  readonly copy: Copy;
  readonly differs: boolean;
}

const OLDER_GROUP = 'crd.projectcalico.org/';
const DECIMAL = /^\d+$/;

/**
 * Decides between two copies of one object. Equal ones are one. An object in both Calico groups is an aggregated API server
 * showing what the older group stores, so the older group counts, as it does for Calico's own components. Else the newer
 * resourceVersion counts.
 *
 * Source: upstream documentation, "Calico API server"; libcalico-go, lib/backend/k8s, choice of the API group.
 * @throws {@link DataError} naming both places when neither can be told to be the newer one, or when the copies show that two
 * clusters are mixed.
 */
export function chooseCopy(kind: StoredKind, known: Copy, other: Copy): Choice {
  if (isSameObject(known.object, other.object)) return { copy: known, differs: false };
  assertOneCluster(kind, known, other);
  const isKnownOlder = isOlderGroup(known);
  if (isKnownOlder !== isOlderGroup(other))
    return { copy: isKnownOlder ? known : other, differs: false };
  if (isSameStoredVersion(known, other)) return { copy: known, differs: false };
  const [knownVersion, otherVersion] = [versionOf(known), versionOf(other)];
  if (knownVersion === undefined || otherVersion === undefined || knownVersion === otherVersion) {
    throw twoCopies(kind, known, other);
  }
  return { copy: knownVersion > otherVersion ? known : other, differs: true };
}

/** Served versions of one object, such as those of KubeVirt, differ in text and are the same row. */
function isSameStoredVersion(a: Copy, b: Copy): boolean {
  const [left, right] = [metadataOf(a), metadataOf(b)];
  return (
    a.object.apiVersion !== b.object.apiVersion &&
    left.uid !== undefined &&
    left.uid === right.uid &&
    left.resourceVersion === right.resourceVersion
  );
}

function isOlderGroup({ object }: Copy): boolean {
  return typeof object.apiVersion === 'string' && object.apiVersion.startsWith(OLDER_GROUP);
}

function versionOf(copy: Copy): bigint | undefined {
  const { resourceVersion } = metadataOf(copy);
  // Some tools that print YAML leave the quotes out.
  const text = textOf(resourceVersion);
  return DECIMAL.test(text) ? BigInt(text) : undefined;
}

/** A scalar as text, anything else as none. */
function textOf(value: JsonValue | undefined): string {
  return typeof value === 'object' || value === undefined ? '' : String(value);
}

function metadataOf({ object }: Copy): JsonObject {
  return isObject(object.metadata) ? object.metadata : {};
}

function assertOneCluster(kind: StoredKind, a: Copy, b: Copy): void {
  if (kind !== 'ClusterInformation') return;
  const [left, right] = [guidOf(a), guidOf(b)];
  if (left === undefined || right === undefined || left === right) return;
  throw new DataError(
    `${placeText(a.place)} is of the cluster ${left}, and ${placeText(b.place)} of the cluster ${right}`,
    { hint: 'give the dump of one cluster only', details: { clusters: [left, right] } },
  );
}

function guidOf({ object }: Copy): string | undefined {
  const guid = isObject(object.spec) ? object.spec.clusterGUID : undefined;
  return typeof guid === 'string' && guid !== '' ? guid : undefined;
}

function twoCopies(kind: StoredKind, a: Copy, b: Copy): DataError {
  const { namespace, name } = metadataOf(a);
  const path = [namespace, name].map(textOf).filter(Boolean).join('/');
  return new DataError(
    `${kind} ${path} stands at ${placeText(a.place)} and differently at ${placeText(b.place)}, and no resourceVersion tells which one is newer`,
    {
      hint: 'remove the copy that does not count',
      details: { kind, namespace, name, places: [a.place, b.place] },
    },
  );
}
