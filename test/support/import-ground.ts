/** API servers, in process and real, into which a file is imported, and what they hold. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import { openKubernetesDatastore } from '../../src/datastore/kubernetes/kubernetes-datastore.ts';
import { OBJECT_KINDS, type ObjectStore } from '../../src/datastore/object-store.ts';
import { type JsonObject, type JsonValue, keyText } from '../../src/ipam/model/resource.ts';
import { keyOf } from '../../src/operations/object-writer.ts';
import { ROW_KINDS } from '../../src/operations/import/file-contents.ts';
import { type ApiClient, demand } from './api-client.ts';
import { startFakeApiServer } from './fake-api-server.ts';
import type { FakeApiServer } from './fake-api-server.ts';
import { aKubernetesNode } from './import-world.ts';
import { seedCluster } from './seed-cluster.ts';
import { requireApiServer } from './shared-servers.ts';
import { type Group, withoutServerTexts } from './split-world.ts';
import { wipe } from './wipe.ts';

/** A cluster that can be emptied. */
export interface ImportGround {
  readonly kubeconfig: string;
  /** Takes everything away and puts two nodes there. */
  reset(): Promise<void>;
  open(): Promise<WritableDatastore>;
  stop(): Promise<void>;
}

const NODES = [aKubernetesNode('node-a'), aKubernetesNode('node-b')];

/** The in-process server. */
export async function fakeImportGround(
  group: Group,
): Promise<ImportGround & { readonly server: FakeApiServer }> {
  const [groupName = ''] = group.version.split('/');
  const server = await startFakeApiServer({ groups: [groupName] });
  const kubeconfig = server.writeKubeconfig(mkdtempSync(join(tmpdir(), 'ipamctl-import-')));
  return {
    server,
    kubeconfig,
    reset: () => {
      server.store.clear();
      for (const node of NODES) server.put(node);
      return Promise.resolve();
    },
    open: () => openAt(kubeconfig),
    stop: () => server.stop(),
  };
}

/** The real server that the tests share. */
export async function realImportGround(
  context: Mocha.Context,
  group: Group,
): Promise<ImportGround> {
  const groupName = group.version.split('/')[0] as 'crd.projectcalico.org' | 'projectcalico.org';
  const server = await requireApiServer(context, [groupName], { carried: true });
  const kubeconfig = server.kubeconfig();
  return {
    kubeconfig,
    reset: async () => {
      await wipe(server.admin);
      await ensureNamespace(server.admin, 'shop');
      await seedCluster(server.admin, NODES);
    },
    open: () => openAt(kubeconfig),
    stop: () => Promise.resolve(),
  };
}

async function ensureNamespace(admin: ApiClient, name: string): Promise<void> {
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  await demand(admin, { method: 'POST', path: '/api/v1/namespaces', body, tolerate: [409] });
}

function openAt(kubeconfig: string): Promise<WritableDatastore> {
  return openKubernetesDatastore({ kubeconfig: { value: kubeconfig, origin: 'test' }, env: {} });
}

/** Everything that an import writes, without what servers set, by kind and name. */
export async function importedObjects(
  datastore: WritableDatastore,
): Promise<Record<string, JsonValue>> {
  const found: Record<string, JsonValue> = {};
  for (const kind of ['ClusterInformation', ...ROW_KINDS] as const) {
    const { rows } = await datastore.list(kind, { keep: () => true });
    for await (const batch of rows) {
      for (const { key, object } of batch) found[`${kind} ${key.name}`] = plain(object ?? {});
    }
  }
  for (const kind of OBJECT_KINDS) {
    const { objects } = await (datastore.objects as ObjectStore).list(kind);
    for await (const batch of objects) {
      for (const object of batch) found[`${kind} ${keyText(keyOf(object))}`] = plain(object);
    }
  }
  return found;
}

/** Revisions of the same, to see whether anything was written. */
export async function importedRevisions(
  datastore: WritableDatastore,
): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const kind of ['ClusterInformation', ...ROW_KINDS] as const) {
    const { rows } = await datastore.list(kind);
    for await (const batch of rows) {
      for (const { key, revision } of batch) found[`${kind} ${key.name}`] = revision ?? '';
    }
  }
  for (const kind of OBJECT_KINDS) {
    const { objects } = await (datastore.objects as ObjectStore).list(kind);
    for await (const batch of objects) {
      for (const object of batch) {
        const { resourceVersion } = object['metadata'] as { resourceVersion: string };
        found[`${kind} ${keyText(keyOf(object))}`] = resourceVersion;
      }
    }
  }
  return found;
}

/** The time at which an import locked differs from run to run. */
function plain(object: JsonObject): JsonValue {
  const text = JSON.stringify(withoutServerTexts(object), (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  return JSON.parse(text) as JsonValue;
}
