import { METADATA_ANNOTATION } from '../../ipam/model/object-metadata.ts';
import type {
  JsonObject,
  JsonValue,
  ResourceKind,
  Revision,
  RowHead,
  UnreadableRow,
} from '../../ipam/model/resource.ts';
import { parseTime } from '../../support/time.ts';
import { isObject } from './fields.ts';
import { quoteValue, wrongValue } from './misreading.ts';

/** Metadata of an object as the codecs need it; the protobuf reader makes the same. */
export interface ObjectHead {
  /** Empty when the object has no readable name. */
  readonly name: string;
  readonly namespace?: string | undefined;
  /** As the server has it, so that a delete may name it. */
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
  /** RFC 3339. */
  readonly creationTimestamp?: string | undefined;
  /** The same in milliseconds since 1970, where the encoding has it so. */
  readonly createdAt?: number | undefined;
  readonly deletionTimestamp?: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** What could not be read of labels and annotations, as a sentence part; they are then incomplete. */
  readonly damage?: string | undefined;
}

type TextMap = Readonly<Record<string, string>>;

const NO_TEXTS: TextMap = Object.freeze({});

const OLDER_GROUP = 'crd.projectcalico.org/';

/** Copies that say nothing, and that nearly all rows have. */
export const EMPTY_COPIES: ReadonlySet<string> = new Set(['{}', '{"creationTimestamp":null}']);

/**
 * Reads the metadata of a Kubernetes object. Objects of the older group get the labels and the creation time of the copy
 * in their annotation, which win over their own.
 *
 * Departs from upstream: deletionTimestamp stays visible beside such a copy, so that a terminating pool does not look
 * alive.
 * Source: Calico libcalico-go lib/backend/k8s/resources customresource.go, conversion to the versioned resource.
 */
export function readHead(object: JsonObject): ObjectHead {
  const metadata = object['metadata'];
  if (!isObject(metadata)) {
    return {
      name: '',
      labels: NO_TEXTS,
      annotations: NO_TEXTS,
      damage: wrongValue('metadata', metadata, 'object'),
    };
  }
  const head: ObjectHead = {
    name: textOf(metadata['name']) ?? '',
    namespace: textOf(metadata['namespace']),
    uid: textOf(metadata['uid']),
    resourceVersion: scalarOf(metadata['resourceVersion']),
    creationTimestamp: textOf(metadata['creationTimestamp']),
    deletionTimestamp: markOf(metadata['deletionTimestamp']),
    labels: textMap(metadata['labels']),
    annotations: textMap(metadata['annotations']),
    damage: mapDamage(metadata),
  };
  const copy = head.annotations[METADATA_ANNOTATION];
  if (copy === undefined || EMPTY_COPIES.has(copy) || !isOfOlderGroup(object)) return head;
  return mergeCopy(head, copy);
}

/** The part of a row that comes from the metadata. */
export function rowHead(head: ObjectHead): RowHead {
  const { name, namespace } = head;
  return {
    key: namespace === undefined ? { name } : { namespace, name },
    revision: head.resourceVersion as Revision | undefined,
    uid: head.uid,
    createdAt: head.createdAt ?? timeOf(head.creationTimestamp),
    terminating: head.deletionTimestamp !== undefined,
  };
}

function timeOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseTime(text);
}

/** The row of an object that cannot be read. */
export function unreadableRow(
  kind: ResourceKind,
  head: ObjectHead,
  reason: { readonly unreadable: string; readonly node?: string | undefined },
): UnreadableRow {
  return { ...rowHead(head), kind, unreadable: reason.unreadable, node: reason.node };
}

function isOfOlderGroup(object: JsonObject): boolean {
  const version = object['apiVersion'];
  return typeof version === 'string' && version.startsWith(OLDER_GROUP);
}

function mergeCopy(head: ObjectHead, text: string): ObjectHead {
  const copy = parseCopy(text);
  if (!copy) return head;
  return {
    ...head,
    creationTimestamp: textOf(copy['creationTimestamp']) ?? head.creationTimestamp,
    labels: { ...head.labels, ...textMap(copy['labels']) },
    annotations: { ...head.annotations, ...textMap(copy['annotations']) },
  };
}

/** The copy, or undefined when it is none: then the object's own metadata stands alone. */
export function parseCopy(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A text; YAML dumps that were edited by hand hold numbers where texts belong. */
function scalarOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : textOf(value);
}

/** Anything there is a mark, readable or not. */
function markOf(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  return typeof value === 'string' ? value : quoteValue(value);
}

/** Values that are no texts are kept as what they look like, so that nothing goes unseen. */
function textMap(value: JsonValue | undefined): TextMap {
  if (!isObject(value)) return NO_TEXTS;
  for (const name in value) {
    if (typeof value[name] !== 'string') return convertTexts(value);
  }
  return value as TextMap;
}

function convertTexts(map: JsonObject): TextMap {
  const texts = Object.entries(map).map(([name, value]) => {
    if (value === null) return [name, ''] as const;
    return [name, typeof value === 'string' ? value : quoteValue(value)] as const;
  });
  return Object.fromEntries(texts);
}

function mapDamage(metadata: JsonObject): string | undefined {
  return mapProblem(metadata, 'labels') ?? mapProblem(metadata, 'annotations');
}

function mapProblem(metadata: JsonObject, name: string): string | undefined {
  const value = metadata[name];
  if (value === undefined || value === null || isObject(value)) return undefined;
  return wrongValue(`metadata.${name}`, value, 'object');
}
