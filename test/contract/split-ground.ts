/** API servers, in process and real, on which a pool is split. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import { openKubernetesDatastore } from '../../src/datastore/kubernetes/kubernetes-datastore.ts';
import type { ResourceKind } from '../../src/ipam/model/resource.ts';
import type { JsonObject } from '../../src/support/json.ts';
import { demand } from '../support/api-client.ts';
import type { ApiServer } from '../support/api-server-process.ts';
import { customResources, resourcePath } from '../support/crds.ts';
import { startFakeApiServer } from '../support/fake-api-server.ts';
import { inGroup, seedCluster } from '../support/seed-cluster.ts';
import { requireApiServer } from '../support/shared-servers.ts';
import { type Group, withoutServerTexts } from '../support/split-world.ts';

/** A cluster that can be made anew. */
export interface SplitGround {
  readonly kubeconfig: string;
  /** Takes all pools and configurations away and creates these objects. */
  reset(objects: readonly JsonObject[]): Promise<void>;
  open(): Promise<WritableDatastore>;
  stop(): Promise<void>;
}

const CLAIMS = ['IPAMBlock', 'BlockAffinity', 'IPAMHandle'];

/** The in-process server. */
export async function fakeGround(group: Group): Promise<SplitGround> {
  const [groupName = ''] = group.version.split('/');
  const server = await startFakeApiServer({ groups: [groupName] });
  const kubeconfig = server.writeKubeconfig(mkdtempSync(join(tmpdir(), 'ipamctl-split-')));
  return {
    kubeconfig,
    reset: (objects) => {
      server.store.clear();
      for (const object of objects) server.put(inGroup(object, group.version));
      return Promise.resolve();
    },
    open: () => openAt(kubeconfig),
    stop: () => server.stop(),
  };
}

/** The real server that the tests share. */
export async function realGround(context: Mocha.Context, group: Group): Promise<SplitGround> {
  const groupName = group.version.split('/')[0] as 'crd.projectcalico.org' | 'projectcalico.org';
  const server = await requireApiServer(context, [groupName]);
  const kubeconfig = server.kubeconfig();
  return {
    kubeconfig,
    reset: async (objects) => {
      await empty(server, groupName);
      await seedCluster(
        server.admin,
        objects.map((object) => inGroup(object, group.version)),
      );
    },
    open: () => openAt(kubeconfig),
    stop: () => Promise.resolve(),
  };
}

function openAt(kubeconfig: string): Promise<WritableDatastore> {
  return openKubernetesDatastore({ kubeconfig: { value: kubeconfig, origin: 'test' }, env: {} });
}

async function empty(
  { admin }: ApiServer,
  group: 'crd.projectcalico.org' | 'projectcalico.org',
): Promise<void> {
  const kinds = ['IPPool', 'ClusterInformation', 'IPAMConfig', 'IPAMConfiguration', ...CLAIMS];
  for (const resource of customResources(group)) {
    if (!kinds.includes(resource.kind)) continue;
    const path = resourcePath(resource);
    const { body } = await demand(admin, { method: 'GET', path });
    for (const item of (body as JsonObject)['items'] as JsonObject[]) {
      const { name } = item['metadata'] as { name: string };
      const type = 'application/merge-patch+json';
      const freed = { metadata: { finalizers: null } };
      await demand(admin, { method: 'PATCH', path: `${path}/${name}`, body: freed, type });
      await demand(admin, { method: 'DELETE', path: `${path}/${name}`, tolerate: [404] });
    }
  }
}

/** Whole objects of a kind by name, without what the server sets. */
export async function objectsOf(
  datastore: WritableDatastore,
  kind: ResourceKind,
): Promise<Record<string, JsonObject>> {
  const found: Record<string, JsonObject> = {};
  const listing = await datastore.list(kind, { keep: () => true });
  for await (const batch of listing.rows) {
    for (const { key, object } of batch) {
      found[key.name] = withoutServerTexts(object ?? {});
    }
  }
  return found;
}
