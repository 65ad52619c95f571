import type { Datastore, WritableDatastore } from '../../../../src/datastore/datastore.ts';
import { openSnapshot } from '../../../../src/datastore/snapshot/snapshot-datastore.ts';
import type { HandleRow } from '../../../../src/ipam/model/handle.ts';
import { keyText, type ResourceKind } from '../../../../src/ipam/model/resource.ts';

/** Opens a path, without standard input; `warnings` collects what the user is told. */
export function open(path: string, warnings: string[] = []): Promise<Datastore> {
  return openSnapshot(path, { stdin: input(''), warn: (text) => warnings.push(text) });
}

/** Standard input that holds a text, in two chunks. */
export async function* input(content: string | Uint8Array): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content);
  yield bytes.subarray(0, bytes.length / 2);
  yield bytes.subarray(bytes.length / 2);
}

/** Names of the rows of a kind, sorted; undefined when the kind is not loaded. */
export async function namesOf(
  datastore: Datastore,
  kind: ResourceKind,
): Promise<string[] | undefined> {
  const { absent, rows } = await datastore.list(kind);
  const names: string[] = [];
  for await (const batch of rows) names.push(...batch.map((row) => keyText(row.key)));
  return absent === undefined ? names.sort() : undefined;
}

/** YAML of a pod. */
export function podYaml(name: string, more = ''): string {
  return `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${name}\n  namespace: default\n${more}`;
}

/** YAML of a node. */
export function nodeYaml(name: string, resourceVersion?: string): string {
  const version = resourceVersion === undefined ? '' : `  resourceVersion: "${resourceVersion}"\n`;
  return `apiVersion: v1\nkind: Node\nmetadata:\n  name: ${name}\n${version}`;
}

/** The row of a handle. @throws Error when there is none that can be read. */
export async function handleOf(datastore: Datastore, name: string): Promise<HandleRow> {
  const row = await datastore.get('IPAMHandle', { name });
  if (row?.kind !== 'IPAMHandle' || 'unreadable' in row) throw new Error(`no handle ${name}`);
  return row;
}

/** Gives a handle this count in each of its blocks. */
export async function setCount(
  datastore: WritableDatastore,
  name: string,
  count: number,
): Promise<void> {
  const row = await handleOf(datastore, name);
  await datastore.update({ ...row, counts: row.counts.map((one) => ({ ...one, count })) });
}
