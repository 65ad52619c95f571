import { METADATA_ANNOTATION } from '../../ipam/model/object-metadata.ts';
import type { JsonObject, JsonValue } from '../../ipam/model/resource.ts';
import { shownUid } from '../../ipam/model/uid.ts';
import { mergeFields, objectMember, sortedMap } from './encode-fields.ts';
import { isObject } from './fields.ts';
import { parseCopy } from './object-head.ts';
import { isSameJson } from './same-written.ts';

/** How metadata are folded. */
export interface Folding {
  /** Whether the copy holds the name: policies may be stored under another one. */
  readonly keepsName: boolean;
  /** Metadata of the object as it is stored now; absent for one that is new. */
  readonly base?: JsonObject | undefined;
}

/** The two groups as owner references name them. */
const SHOWN_GROUP = 'projectcalico.org/v3';
const STORED_GROUP = 'crd.projectcalico.org/v1';

/** Labels and annotations with one of these in their name stand on the stored object, too. */
const OWN_MARKS = ['projectcalico.org/', 'operator.tigera.io/'];

/** Members of the copy in the order in which Go prints them. */
const COPIED = [
  'name',
  'generateName',
  'creationTimestamp',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
];

/** Members that the server keeps, or that stand on the stored object anyway. */
const NOT_COPIED: ReadonlySet<string> = new Set([
  'name',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
]);

/**
 * Metadata of an object of the older group as Calico shows them: those of the copy in the annotation over its own. Without
 * a copy, or with one that is damaged, its own stand alone.
 *
 * Departs from upstream: deletionTimestamp, finalizers, generation and owners of the object itself stay visible beside a
 * copy, and the uid is the server's own.
 * Source: Calico libcalico-go lib/backend/k8s/resources resources.go, conversion of custom resources.
 */
export function unfoldMetadata(own: JsonObject): JsonObject {
  const { [METADATA_ANNOTATION]: text, ...annotations } = objectMember(own, 'annotations');
  const copy = typeof text === 'string' ? parseCopy(text) : undefined;
  if (copy === undefined) return own;
  const { name, creationTimestamp } = copy;
  return mergeFields(own, {
    ...Object.fromEntries(Object.entries(copy).filter(([key]) => !NOT_COPIED.has(key))),
    name: isText(name) ? name : own['name'],
    creationTimestamp: isText(creationTimestamp) ? creationTimestamp : own['creationTimestamp'],
    labels: unlessEmpty({ ...objectMember(own, 'labels'), ...objectMember(copy, 'labels') }),
    annotations: unlessEmpty({ ...annotations, ...objectMember(copy, 'annotations') }),
    ownerReferences: ownersOf(copy)?.map(shownOwner) ?? own['ownerReferences'],
    finalizers: united(listOf(own, 'finalizers'), listOf(copy, 'finalizers')),
  });
}

/**
 * The reverse: metadata as the older group stores them. What stood on the stored object itself and is still shown stays
 * there, and an object that had no copy gets none.
 *
 * Departs from upstream, which drops foreign labels, annotations and finalizers from the object itself.
 * Source: Calico libcalico-go lib/backend/k8s/resources resources.go, conversion of custom resources.
 */
export function foldMetadata(shown: JsonObject, { keepsName, base }: Folding): JsonObject {
  if (base !== undefined && !isText(objectMember(base, 'annotations')[METADATA_ANNOTATION])) {
    return mergeFields(shown, { name: base['name'] });
  }
  const { name, namespace, uid, resourceVersion } = shown;
  const annotations = objectMember(shown, 'annotations');
  const finalizers = listOf(base, 'finalizers').filter((text) =>
    listOf(shown, 'finalizers').includes(text),
  );
  return mergeFields(
    {},
    {
      name: base?.['name'] ?? name,
      namespace,
      uid,
      resourceVersion,
      labels: unlessEmpty(ownTexts(objectMember(shown, 'labels'), objectMember(base, 'labels'))),
      annotations: {
        ...ownTexts(annotations, objectMember(base, 'annotations')),
        [METADATA_ANNOTATION]: copyText(shown, { keepsName, base }),
      },
      ownerReferences: base?.['ownerReferences'],
      finalizers: finalizers.length === 0 ? undefined : finalizers,
    },
  );
}

/** The text stays as it is when it would say the same. */
function copyText(shown: JsonObject, { keepsName, base = {} }: Folding): string {
  const text = objectMember(base, 'annotations')[METADATA_ANNOTATION];
  const before = isText(text) ? parseCopy(text) : undefined;
  const copy = copyOf(shown, keepsName, { own: base, before });
  if (!isText(text) || before === undefined) return JSON.stringify(copy);
  const time = textIn(before, 'creationTimestamp');
  const { creationTimestamp: _time, ...others } = before;
  const isSame = isSameJson(copy, mergeFields(others, { creationTimestamp: time }));
  return isSame ? text : JSON.stringify(copy);
}

/** What stands where, before the write. */
interface Standing {
  readonly own: JsonObject;
  readonly before: JsonObject | undefined;
}

function copyOf(shown: JsonObject, keepsName: boolean, { own, before }: Standing): JsonObject {
  const others = Object.entries(shown).filter(
    ([key]) => !NOT_COPIED.has(key) && !COPIED.includes(key),
  );
  const texts = (name: string): JsonObject | undefined =>
    unlessEmpty(
      sortedMap(
        withoutOwn(objectMember(shown, name), objectMember(own, name), objectMember(before, name)),
      ),
    );
  const copied = listOf(before, 'finalizers');
  const finalizers = listOf(shown, 'finalizers').filter(
    (text) => copied.includes(text) || !listOf(own, 'finalizers').includes(text),
  );
  const isOwned = ownersOf(own) !== undefined && ownersOf(before ?? {}) === undefined;
  return mergeFields(
    {},
    {
      name: keepsName ? shown['name'] : undefined,
      generateName: shown['generateName'],
      // The time of the object itself is shown where the copy has none.
      creationTimestamp: before
        ? textIn(before, 'creationTimestamp')
        : textIn(shown, 'creationTimestamp'),
      labels: texts('labels'),
      annotations: texts('annotations'),
      ownerReferences: isOwned ? undefined : ownersOf(shown)?.map(storedOwner),
      finalizers: finalizers.length === 0 ? undefined : finalizers,
      ...Object.fromEntries(others),
    },
  );
}

/** Texts for the copy: all that the object itself does not hold alone. */
function withoutOwn(shown: JsonObject, own: JsonObject, copied: JsonObject): JsonObject {
  const entries = Object.entries(shown).filter(
    ([key]) =>
      key !== METADATA_ANNOTATION && (Object.hasOwn(copied, key) || !Object.hasOwn(own, key)),
  );
  return Object.fromEntries(entries);
}

/** What stands on the stored object itself: what is Calico's, and what stood there before. */
function ownTexts(shown: JsonObject, base: JsonObject): JsonObject {
  const entries = Object.entries(shown).filter(
    ([key]) => Object.hasOwn(base, key) || OWN_MARKS.some((mark) => key.includes(mark)),
  );
  return Object.fromEntries(entries);
}

function shownOwner(owner: JsonObject): JsonObject {
  const group = owner['apiVersion'];
  return group === STORED_GROUP || group === SHOWN_GROUP
    ? convertedOwner(owner, SHOWN_GROUP)
    : owner;
}

function storedOwner(owner: JsonObject): JsonObject {
  return owner['apiVersion'] === SHOWN_GROUP ? convertedOwner(owner, STORED_GROUP) : owner;
}

function convertedOwner(owner: JsonObject, apiVersion: string): JsonObject {
  const { uid } = owner;
  return { ...owner, apiVersion, ...(typeof uid === 'string' ? { uid: shownUid(uid) } : {}) };
}

/** Owners, or undefined when there are none or they are no list of objects. */
function ownersOf(metadata: JsonObject): readonly JsonObject[] | undefined {
  const owners = metadata['ownerReferences'];
  return Array.isArray(owners) && owners.every(isObject) && owners.length > 0 ? owners : undefined;
}

function listOf(metadata: JsonObject | undefined, name: string): readonly JsonValue[] {
  const value = metadata?.[name];
  return Array.isArray(value) ? value : [];
}

function united(a: readonly JsonValue[], b: readonly JsonValue[]): JsonValue[] | undefined {
  const all = [...new Set([...a, ...b])];
  return all.length === 0 ? undefined : all;
}

function textIn(holder: JsonObject, name: string): string | undefined {
  const value = holder[name];
  return isText(value) ? value : undefined;
}

function unlessEmpty(map: JsonObject): JsonObject | undefined {
  return Object.keys(map).length === 0 ? undefined : map;
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value !== '';
}
