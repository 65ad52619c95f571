/** Fixtures of clusters in etcd, on a real etcd beside an API server in the test's process. */
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import { openDatastore } from '../../src/datastore/open-datastore.ts';
import { entryText } from '../../src/datastore/codec/entry-text.ts';
import { type JsonValue, parseJson } from '../../src/support/json.ts';
import { EtcdStore } from './etcd-store.ts';
import type { FakeApiServer } from './fake-api-server.ts';
import type { Fixture } from './fixture.ts';
import { readDump } from './load-objects.ts';
import { seedCluster } from './seed-cluster.ts';

/** Both servers. */
export interface EtcdGround {
  readonly endpoint: string;
  readonly server: FakeApiServer;
}

/** Whether the cluster of a fixture is in etcd. */
export function isInEtcd({ folder }: Fixture): boolean {
  return existsSync(join(folder, 'etcd.json'));
}

/**
 * Puts a fixture into both servers, in place of what is there.
 * @returns the environment by which ipamctl finds them; without a kubeconfig where the fixture has no Kubernetes.
 */
export async function putFixture(
  { folder }: Fixture,
  { endpoint, server }: EtcdGround,
): Promise<Record<string, string>> {
  const store = new EtcdStore(endpoint);
  await store.wipe();
  const text = readFileSync(join(folder, 'etcd.json'), 'utf8');
  const entries = parseJson(text) as unknown as readonly { key: string; value: JsonValue }[];
  await store.put(entries.map(({ key, value }) => [key, valueText(value)] as const));
  server.store.clear();
  const settings = { DATASTORE_TYPE: 'etcdv3', ETCD_ENDPOINTS: endpoint };
  const kubernetes = join(folder, 'kubernetes.yaml');
  if (!existsSync(kubernetes)) return settings;
  const { objects } = await readDump(kubernetes);
  await seedCluster(server.client(), objects);
  const kubeconfig = server.writeKubeconfig(mkdtempSync(join(tmpdir(), 'ipamctl-fake-')));
  return { ...settings, KUBECONFIG: kubeconfig };
}

/** Opens what {@link putFixture} has put. */
export function openPut(env: Readonly<Record<string, string>>): Promise<WritableDatastore> {
  return openDatastore({ env, defaultConfigFile: '/nonexistent/calicoctl.cfg' });
}

function valueText(value: JsonValue): string {
  return typeof value === 'string' ? value : entryText(value);
}
