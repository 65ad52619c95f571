import { METADATA_ANNOTATION } from '../model/object-metadata.ts';
import type { JsonObject, JsonValue } from '../model/resource.ts';
import { type Mapper, type Shape, isObject, shape } from './mappers.ts';
import type { Vocabulary } from './vocabulary.ts';

/** What stays of labels and annotations: only what IPAM reads; others may say anything. */
export interface KeptTexts {
  readonly labels?: Shape | undefined;
  readonly annotations?: Shape | undefined;
}

/** Maps metadata; owners, finalizers, managed fields and everything else that nobody reads go. */
export function metadataMapper(
  vocabulary: Vocabulary,
  name: (name: string) => string,
  { labels = {}, annotations = {} }: KeptTexts = {},
): Mapper {
  const { words } = vocabulary;
  const copy = words.text((text) => copyOfTimes(vocabulary, text));
  return shape(
    {
      name: words.text(name),
      namespace: words.name('ns'),
      uid: words.uid,
      resourceVersion: words.revision,
      creationTimestamp: words.time,
      deletionTimestamp: words.time,
      labels: shape(labels, words.scrub),
      annotations: shape({ ...annotations, [METADATA_ANNOTATION]: copy }, words.scrub),
    },
    words.scrub,
  );
}

/** The older group's clients keep a copy of the metadata, of which the creation time wins over the object's own. */
function copyOfTimes({ words }: Vocabulary, text: string): string {
  const copy = parsed(text);
  if (!isObject(copy)) return '{}';
  const { creationTimestamp } = copy;
  return creationTimestamp === undefined
    ? '{}'
    : JSON.stringify({ creationTimestamp: words.time(creationTimestamp) });
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Type of an object, which is no secret. */
export function typeOf({ apiVersion, kind }: JsonObject): JsonObject {
  return {
    ...(apiVersion === undefined ? {} : { apiVersion }),
    ...(kind === undefined ? {} : { kind }),
  };
}
