/** A made-up cluster on a real etcd and a real API server, and the program that carries it from one to the other. */
import type { JsonObject } from '../../../src/ipam/model/resource.ts';
import { entryText } from '../../../src/datastore/codec/entry-text.ts';
import type { JsonValue } from '../../../src/support/json.ts';
import { mapLimit } from '../../../src/support/map-limit.ts';
import { demand } from '../api-client.ts';
import type { ApiServer } from '../api-server-process.ts';
import { addFaults } from './faults.ts';
import { type ClusterOptions, entriesOf, soundCluster } from './cluster.ts';
import { carriedResources, type CrdGroup, customResources, resourcePath } from '../crds.ts';
import type { EtcdStore } from '../etcd-store.ts';
import { seedCluster } from '../seed-cluster.ts';
import { wipe } from '../wipe.ts';
import { ensureNamespaces } from './kubernetes.ts';

/** What a test must know of the cluster that it has put there. */
export interface SeededCluster {
  /** Names in Kubernetes by those in etcd. */
  readonly names: ReadonlyMap<string, string>;
  readonly nodes: number;
  /** In blocks, cooling ones included. */
  readonly addresses: number;
}

/** Puts a cluster into both servers, in place of everything that was there. */
export async function seedBoth(
  { admin }: ApiServer,
  store: EtcdStore,
  options: ClusterOptions,
): Promise<SeededCluster> {
  const draft = soundCluster(options);
  addFaults(draft, options);
  await store.wipe();
  await store.put(entriesOf(draft).map(({ key, value }) => [key, textOf(value)] as const));
  await wipe(admin);
  await ensureNamespaces(admin);
  await seedCluster(admin, draft.objects);
  return {
    names: new Map(draft.nodes.map(({ name, kubernetesName }) => [name, kubernetesName])),
    nodes: draft.nodes.length,
    addresses: draft.ipam.addresses,
  };
}

function textOf(value: JsonObject | string): string {
  return typeof value === 'string' ? value : entryText(value);
}

/** Takes away all of Calico in Kubernetes: objects of the group, and what it notes on nodes. */
export async function emptyTarget({ admin }: ApiServer, group: CrdGroup): Promise<void> {
  for (const resource of [...customResources(group), ...carriedResources(group)]) {
    const listed = await demand(admin, { method: 'GET', path: resourcePath(resource) });
    const { items } = listed.body as unknown as { readonly items: readonly JsonObject[] };
    const places = new Set(items.map(({ metadata }) => namespaceOf(metadata)));
    for (const place of places) {
      await demand(admin, { method: 'DELETE', path: resourcePath(resource, place) });
    }
  }
  const { body } = await demand(admin, { method: 'GET', path: '/api/v1/nodes' });
  const { items } = body as unknown as {
    readonly items: readonly { metadata: { name: string } }[];
  };
  await mapLimit(items, { limit: 16 }, ({ metadata: { name } }) =>
    demand(admin, {
      method: 'PATCH',
      path: `/api/v1/nodes/${name}`,
      body: { metadata: { annotations: null } },
      type: 'application/merge-patch+json',
    }),
  );
}

function namespaceOf(metadata: JsonValue | undefined): string | undefined {
  return (metadata as { readonly namespace?: string }).namespace;
}
