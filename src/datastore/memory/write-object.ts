import { isDeepStrictEqual } from 'node:util';
import { NotFoundError } from '../../errors/not-found-error.ts';
import { UnsupportedError } from '../../errors/unsupported-error.ts';
import { metadataOf } from '../../ipam/model/object-metadata.ts';
import type { JsonObject, ResourceKey, Revision } from '../../ipam/model/resource.ts';
import { flavorOf, type RowFlavor } from '../codec/encode.ts';
import { mergeFields } from '../codec/encode-fields.ts';
import { serverFieldsOf, withoutServerFields } from '../codec/encode-metadata.ts';
import { withNodeFields } from '../codec/node-annotations.ts';
import { objectEntryValue } from '../codec/object-entry.ts';
import { type ObjectFlavor, storedObject } from '../codec/object-form.ts';
import type { ObjectKind } from '../object-store.ts';
import type { Stored } from './stored.ts';
import { restamped, stamped } from './write-stored.ts';

/** A stored object and how it is shown. */
export interface FoundObject {
  readonly slot: string;
  readonly stored: Stored;
  readonly value: JsonObject;
  readonly shown: JsonObject;
}

/** What stamps a new object, and where it goes. */
export interface NewObjectPlace {
  readonly flavor: RowFlavor;
  readonly areEntries: boolean;
  readonly slot: string;
  readonly nextRevision: () => Revision;
  readonly now: () => number;
}

/** What is to be stored for a new object. */
export function newObject(kind: ObjectKind, object: JsonObject, place: NewObjectPlace): Stored {
  const revision = place.nextRevision();
  const value = storedObject(kind, withoutServerFields(object), {
    flavor: place.areEntries ? 'v3' : objectFlavor(place.flavor),
  });
  const whole = stamped(value, { revision, now: place.now });
  if (!place.areEntries) return { value: whole };
  return { path: place.slot, value: entryValue(whole), revision };
}

/** What is to be stored for a changed object; the same when nothing changes. */
export function changedObject(
  kind: ObjectKind,
  object: JsonObject,
  {
    found,
    flavor,
    nextRevision,
  }: {
    readonly found: FoundObject;
    readonly flavor: RowFlavor;
    readonly nextRevision: () => Revision;
  },
): Stored {
  const { stored, value } = found;
  const next = isKubernetesNode(kind, stored)
    ? withNodeFields(value, object)
    : withServerFields(
        storedObject(kind, withServerFields(object, found.shown), {
          flavor: flavorOf(value) ?? objectFlavor(flavor),
          base: value,
        }),
        value,
      );
  // A server answers a write that changes nothing with the old revision.
  if (isDeepStrictEqual(next, value)) return stored;
  if (stored.path === undefined) return { value: restamped(next, nextRevision) };
  return { path: stored.path, value: objectEntryValue(next), revision: nextRevision() };
}

/** @throws {@link NotFoundError} for a node in a cluster where the Kubernetes node would have to be. */
export function refuseNewNode(
  kind: ObjectKind,
  { flavor, key }: { readonly flavor: RowFlavor; readonly key: ResourceKey },
): void {
  if (kind !== 'Node' || flavor === 'etcd') return;
  throw new NotFoundError(`Kubernetes has no node ${key.name}`, { details: { kind, ...key } });
}

/** @throws {@link UnsupportedError} for a node of Kubernetes. */
export function refuseNodeRemoval(kind: ObjectKind, stored: Stored): void {
  if (!isKubernetesNode(kind, stored)) return;
  throw new UnsupportedError('nodes of Kubernetes are not removed by ipamctl');
}

function isKubernetesNode(kind: ObjectKind, { path, value }: Stored): boolean {
  return kind === 'Node' && path === undefined && (value as JsonObject)['apiVersion'] === 'v1';
}

function objectFlavor(flavor: RowFlavor): ObjectFlavor {
  return flavor === 'crd' ? 'crd' : 'v3';
}

/** What the server set stays as it is, whatever the caller says. */
function withServerFields(object: JsonObject, current: JsonObject): JsonObject {
  const metadata = metadataOf(withoutServerFields(object));
  return { ...object, metadata: mergeFields(metadata, serverFieldsOf(current)) };
}

/** Values of etcd do not hold what a server of Kubernetes counts. */
function entryValue(object: JsonObject): JsonObject {
  const { resourceVersion: _revision, generation: _generation, ...metadata } = metadataOf(object);
  return objectEntryValue({ ...object, metadata });
}
