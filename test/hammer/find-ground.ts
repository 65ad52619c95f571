import { encodeRow } from '../../src/datastore/codec/encode.ts';
import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import type { PoolRow } from '../../src/ipam/model/pool.ts';
import type { ApiServer } from '../support/api-server-process.ts';
import { aPool } from '../support/builders.ts';
import { applyCrds } from '../support/crds.ts';
import { seedCluster } from '../support/seed-cluster.ts';
import { aClusterInformation, aConfig } from '../support/settings-builders.ts';
import { type Ground, rowsOf } from './ground.ts';

/** Small blocks in small pools: they are claimed, filled, lent and given up all the time. */
const POOLS: readonly PoolRow[] = [
  aPool('hammer-a', '10.77.0.0/24', { blockSize: 28 }),
  aPool('hammer-b', '10.78.0.0/25', { blockSize: 29 }),
  aPool('hammer-six', 'fd00:77::/120', { blockSize: 124 }),
];

/** Makes an API server of our own a cluster with pools and so many nodes, with strict affinity if wanted. */
export async function seedGround(
  server: ApiServer,
  nodes: number,
  isStrict = false,
): Promise<Ground> {
  await applyCrds(server.admin, ['crd.projectcalico.org']);
  const hosts = Array.from({ length: nodes }, (_, at) => `hammer-node-${at}`);
  const rows = [aClusterInformation(), aConfig({ strictAffinity: isStrict }), ...POOLS];
  await seedCluster(server.admin, [
    ...rows.map((row) => encodeRow({ ...row, revision: undefined, uid: undefined }, 'crd')),
    ...hosts.map((name) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name } })),
  ]);
  return { kubeconfig: server.kubeconfig(), hosts, pools: POOLS, isOwn: true };
}

/** Nodes and pools of a cluster in which others work, too. @throws Error when it has none. */
export async function exploreGround(
  datastore: WritableDatastore,
  kubeconfig: string,
  wanted: readonly string[],
): Promise<Ground> {
  const nodes = (await rowsOf(datastore, 'Node')).map(({ key }) => key.name);
  const hosts = wanted.length > 0 ? wanted : nodes;
  const pools = (await rowsOf(datastore, 'IPPool')).filter(({ disabled }) => !disabled);
  const stranger = wanted.find((host) => !nodes.includes(host));
  if (stranger !== undefined) throw new Error(`there is no node ${stranger}`);
  if (hosts.length === 0 || pools.length === 0)
    throw new Error('the cluster has no node, or no pool that is enabled');
  return { kubeconfig, hosts, pools, isOwn: false };
}
