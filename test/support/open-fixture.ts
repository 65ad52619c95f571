/** Fixtures as datastores that may be written: copies of their files, or memory. */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Datastore } from '../../src/datastore/datastore.ts';
import { MemoryDatastore } from '../../src/datastore/memory/memory-datastore.ts';
import { openSnapshot } from '../../src/datastore/snapshot/snapshot-datastore.ts';
import { RESOURCE_KINDS, type ResourceKind } from '../../src/ipam/model/resource.ts';
import type { Row } from '../../src/ipam/model/row.ts';
import { type JsonValue, parseJson, stringifyJson } from '../../src/support/json.ts';
import { type Fixture, inputOf } from './fixture.ts';

/** Kinds that a Calico cluster in etcd has, even if there is nothing of them. */
const ETCD_KINDS: readonly ResourceKind[] = [
  'ClusterInformation',
  'KubeControllersConfiguration',
  'IPAMConfig',
  'IPPool',
  'IPReservation',
  'IPAMBlock',
  'IPAMHandle',
  'BlockAffinity',
  'WorkloadEndpoint',
];

const NOTHING = { stdin: (async function* () {})() };

/** Opens a copy of a fixture's files; the copy goes away when `use` has ended. */
export async function withSnapshot<T>(
  fixture: Fixture,
  use: (open: () => Promise<Datastore>) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'ipamctl-fixture-'));
  try {
    cpSync(fixture.folder, folder, { recursive: true });
    return await use(() => openSnapshot(inputOf(folder) ?? '', NOTHING));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A fixture in memory: one of a Kubernetes cluster as objects, one of etcd as entries beside the Kubernetes objects. */
export async function inMemory(fixture: Fixture): Promise<MemoryDatastore> {
  const entries = join(fixture.folder, 'etcd.json');
  if (!existsSync(entries)) return filled(new MemoryDatastore(), fixture.input ?? '');
  const datastore = new MemoryDatastore({ datastore: 'memory' }, { flavor: 'etcd' });
  for (const kind of ETCD_KINDS) datastore.declare(kind);
  const list = parseJson(readFileSync(entries, 'utf8')) as unknown as readonly {
    key: string;
    value: JsonValue;
  }[];
  for (const { key, value } of list)
    datastore.putEntry(key, typeof value === 'string' ? parsed(value) : value);
  const kubernetes = join(fixture.folder, 'kubernetes.yaml');
  return existsSync(kubernetes) ? filled(datastore, kubernetes) : datastore;
}

/** Every stored object, in an order of its own, as text. */
export async function contentOf(datastore: Datastore): Promise<string> {
  const texts: string[] = [];
  for (const kind of RESOURCE_KINDS) {
    for (const { key, object } of await rowsOf(datastore, kind))
      texts.push(stringifyJson([kind, key, object ?? null]));
  }
  return texts.sort().join('\n');
}

async function filled(datastore: MemoryDatastore, path: string): Promise<MemoryDatastore> {
  const source = await openSnapshot(path, NOTHING);
  for (const kind of RESOURCE_KINDS) {
    if ((await source.list(kind)).absent === undefined) datastore.declare(kind);
    for (const { object } of await rowsOf(source, kind)) if (object) datastore.put(kind, object);
  }
  return datastore;
}

async function rowsOf(datastore: Datastore, kind: ResourceKind): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const listing = await datastore.list(kind, { keep: () => true });
  for await (const batch of listing.rows) rows.push(...batch);
  return rows;
}

function parsed(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
