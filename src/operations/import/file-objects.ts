import type { MigrationFile } from '../../datastore/migration-file.ts';
import { OBJECT_KINDS, OBJECT_TYPES, type ObjectKind } from '../../datastore/object-store.ts';
import { objectContent } from '../../ipam/migration/import-equal.ts';
import { isObjectName } from '../../ipam/model/object-name.ts';
import { type JsonObject, keyText } from '../../ipam/model/resource.ts';
import { stringifyJson } from '../../support/json.ts';
import { keyOf } from '../object-writer.ts';

/** Objects of the kinds that are carried; what is wrong with them is added to the problems. */
export function objectsByKind(
  { objects }: MigrationFile,
  problems: string[],
): {
  readonly objects: ReadonlyMap<ObjectKind, readonly JsonObject[]>;
  readonly foreign: ReadonlySet<string>;
} {
  const byKind = new Map<ObjectKind, Map<string, JsonObject>>();
  const foreign = new Set<string>();
  for (const object of objects) {
    const kind = OBJECT_KINDS.find((known) => known === object['kind']);
    if (kind === undefined) {
      foreign.add(stringifyJson(object['kind'] ?? null).replaceAll('"', ''));
      continue;
    }
    const known = byKind.get(kind) ?? new Map<string, JsonObject>();
    byKind.set(kind, known);
    const problem = takeObject(kind, object, known);
    if (problem !== undefined) problems.push(problem);
  }
  const lists = [...byKind].map(([kind, known]) => [kind, [...known.values()]] as const);
  return { objects: new Map(lists), foreign };
}

function takeObject(
  kind: ObjectKind,
  object: JsonObject,
  known: Map<string, JsonObject>,
): string | undefined {
  const key = keyOf(object);
  const text = keyText(key);
  if (!isObjectName(key.name)) {
    return `${kind} ${JSON.stringify(text)} cannot be an object in Kubernetes: that is no name there`;
  }
  if (OBJECT_TYPES[kind].isNamespaced && key.namespace === undefined) {
    return `${kind} ${text} says no namespace`;
  }
  const other = known.get(text);
  if (other !== undefined && objectContent(kind, other) !== objectContent(kind, object)) {
    return `${kind} ${text} stands in the file twice, with different contents`;
  }
  known.set(text, reduced(kind, object));
  return undefined;
}

/** What is created of an object: everything else is of the datastore that it was in. */
function reduced(kind: ObjectKind, object: JsonObject): JsonObject {
  const { apiVersion, metadata, spec, status } = object;
  const { name, namespace, labels, annotations } = metadata as JsonObject;
  const kept = { name, namespace, labels, annotations };
  const isNode = kind === 'Node';
  return withoutUndefined({
    apiVersion,
    kind,
    metadata: withoutUndefined(kept),
    spec: spec ?? {},
    status: isNode ? status : undefined,
  });
}

function withoutUndefined(
  members: Readonly<Record<string, JsonObject[string] | undefined>>,
): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter(
      (member): member is [string, JsonObject[string]] =>
        member[1] !== undefined && member[1] !== null,
    ),
  );
}
