/** Migration files, targets in memory in either API group, and targets that stop after so many writes. */
import { Readable } from 'node:stream';
import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import { MemoryDatastore } from '../../src/datastore/memory/memory-datastore.ts';
import type { MigrationSource } from '../../src/datastore/migration-file.ts';
import { OBJECT_KINDS, type StoredKind } from '../../src/datastore/object-store.ts';
import { readDocuments } from '../../src/datastore/snapshot/documents.ts';
import { openMigration } from '../../src/datastore/snapshot/open-migration.ts';
import { keyText, RESOURCE_KINDS } from '../../src/ipam/model/resource.ts';
import type { OperationContext } from '../../src/operations/context.ts';
import type { OutcomeDocument } from '../../src/operations/documents/outcome-document.ts';
import type { ImportOptions } from '../../src/operations/import/import-options.ts';
import { keyOf } from '../../src/operations/object-writer.ts';
import { planImport } from '../../src/operations/import-datastore.ts';
import type { Mutation } from '../../src/operations/mutation.ts';
import type { Outcome } from '../../src/operations/outcome.ts';
import type { UndoSink } from '../../src/operations/undo/undo-log.ts';
import { type JsonObject, type JsonValue } from '../../src/support/json.ts';
import { fileText } from './migration-text.ts';
import { contextOf } from './scripted-datastore.ts';
import type { Group } from './split-world.ts';

/** A file as the command opens it. */
export function openText(text: string): Promise<MigrationSource> {
  return openMigration('-', { stdin: Readable.from([Buffer.from(text)]) });
}

/** A cluster in memory that knows every kind, with these objects. */
export function importWorld(
  group: Group,
  objects: readonly JsonObject[] = [aKubernetesNode('node-a'), aKubernetesNode('node-b')],
): MemoryDatastore {
  const world = new MemoryDatastore(
    { datastore: 'memory', apiGroup: group.version },
    { flavor: group.flavor },
  );
  const others = OBJECT_KINDS as readonly StoredKind[];
  for (const kind of new Set<StoredKind>([...RESOURCE_KINDS, ...others])) world.declare(kind);
  for (const object of objects) {
    const { kind, apiVersion } = object;
    world.put(
      kind as StoredKind,
      apiVersion === undefined ? { ...object, apiVersion: group.version } : object,
    );
  }
  return world;
}

/** A node of Kubernetes with annotations of Calico. */
export function aKubernetesNode(name: string, annotations: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name }, annotations },
    spec: {},
    status: {},
  };
}

/** How to run an import in process. */
export interface RunOptions extends Partial<Omit<ImportOptions, 'source'>> {
  readonly text?: string;
  readonly undo?: UndoSink;
  readonly context?: Partial<OperationContext>;
}

/** Plans an import. */
export async function planText(
  target: WritableDatastore,
  { text = fileText(), undo: _undo, context, ...more }: RunOptions = {},
): Promise<Mutation> {
  const source = await openText(text);
  return planImport(contextOf(target, context), {
    source,
    isResume: false,
    concurrency: 4,
    by: 'tester@here',
    newGuid: '0'.repeat(32),
    isMismatchAllowed: false,
    ...more,
  });
}

/** Runs an import. */
export async function importText(
  target: WritableDatastore,
  options: RunOptions = {},
): Promise<Outcome<OutcomeDocument>> {
  return (await planText(target, options)).apply(options.undo);
}

/** Everything that is stored, without what servers set and the marks' times, by kind and name. */
export function contentsOf(world: MemoryDatastore): Record<string, JsonValue> {
  const entries = world.storedObjects().map(({ kind, value }): [string, JsonValue] => {
    const object = value as JsonObject;
    const { labels, annotations } = object['metadata'] as JsonObject;
    const key = keyOf(object);
    const metadata = { ...key, labels, annotations } as JsonObject;
    return [`${kind} ${keyText(key)}`, { ...object, metadata }];
  });
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Objects of YAML documents, lists taken apart. */
export function objectsInYaml(text: string): JsonObject[] {
  return [...readDocuments(text, 'cluster.yaml')].flatMap(({ value }) => {
    const object = value as JsonObject & { kind: string; apiVersion: string };
    const { kind, apiVersion } = object;
    const items = object['items'] as JsonObject[] | undefined;
    if (items === undefined) return [object];
    return items.map((item): JsonObject => ({
      apiVersion,
      kind: kind.replace(/List$/, ''),
      ...item,
    }));
  });
}
