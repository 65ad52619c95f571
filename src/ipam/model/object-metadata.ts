import type { JsonObject, JsonValue } from './resource.ts';

/** Annotation in which the older group's clients keep a copy of the metadata. */
export const METADATA_ANNOTATION = 'projectcalico.org/metadata';

/** Labels or annotations as texts. */
export type TextMap = Readonly<Record<string, string>>;

/** The two kinds of texts that metadata holds. */
export type MetadataMap = 'labels' | 'annotations';

/**
 * Labels or annotations of an object as Calico shows them: its own under those of the copy that the older group's clients
 * keep. The copy itself is not among them.
 */
export function readTexts(object: JsonObject | undefined, name: MetadataMap): TextMap {
  const texts = { ...ownTexts(object, name), ...textsIn(copyOf(object)?.[name]) };
  return Object.fromEntries(Object.entries(texts).filter(([key]) => key !== METADATA_ANNOTATION));
}

/**
 * The object with one annotation set, or taken away for undefined. A client of the older group may have written an
 * annotation into its copy too, where it would win; it is taken out of there.
 */
export function withAnnotation(
  object: JsonObject | undefined,
  name: string,
  value: string | undefined,
): JsonObject {
  const { [name]: _before, ...kept } = objectOf(metadataOf(object)['annotations']);
  const annotations: JsonObject = value === undefined ? kept : { ...kept, [name]: value };
  const copy = copyOf(object);
  const copied = objectOf(copy?.['annotations']);
  if (copy !== undefined && name in copied) {
    const { [name]: _taken, ...rest } = copied;
    const { annotations: _annotations, ...others } = copy;
    const isEmpty = Object.keys(rest).length === 0;
    annotations[METADATA_ANNOTATION] = JSON.stringify(
      isEmpty ? others : { ...others, annotations: rest },
    );
  }
  const metadata = metadataOf(object);
  if (Object.keys(annotations).length > 0)
    return { ...object, metadata: { ...metadata, annotations } };
  const { annotations: _none, ...others } = metadata;
  return { ...object, metadata: others };
}

/** The copy of the metadata, or undefined when there is none that can be read. */
export function copyOf(object: JsonObject | undefined): JsonObject | undefined {
  const text = ownTexts(object, 'annotations')[METADATA_ANNOTATION];
  if (text === undefined) return undefined;
  try {
    const copy = JSON.parse(text) as JsonValue;
    return isObject(copy) ? copy : undefined;
  } catch {
    return undefined;
  }
}

/** Names of what has to be done before the server lets the object go. */
export function finalizersOf(object: JsonObject | undefined): readonly string[] {
  const { finalizers } = metadataOf(object);
  return Array.isArray(finalizers) ? finalizers.map(String) : [];
}

/** Metadata of an object; empty when it has none. */
export function metadataOf(object: JsonObject | undefined): JsonObject {
  return objectOf(object?.['metadata']);
}

/** Labels or annotations that the object itself carries. */
export function ownTexts(object: JsonObject | undefined, name: MetadataMap): TextMap {
  return textsIn(metadataOf(object)[name]);
}

/** A value if it is an object, else an empty one. */
export function objectOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function textsIn(value: JsonValue | undefined): TextMap {
  const texts = Object.entries(objectOf(value));
  return Object.fromEntries(
    texts.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
