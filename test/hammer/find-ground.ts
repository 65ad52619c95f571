import { encodeRow } from '../../src/datastore/codec/encode.ts';
import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import type { PoolRow } from '../../src/ipam/model/pool.ts';
import type { ApiServer } from '../support/api-server-process.ts';
import { aPool } from '../support/builders.ts';
import { applyCrds, type CrdGroup } from '../support/crds.ts';
import { type CalicoVersion, inGroup, seedCluster } from '../support/seed-cluster.ts';
import { aClusterInformation, aConfig } from '../support/settings-builders.ts';
import { type Ground, rowsOf } from './ground.ts';

/** Small blocks in small pools: they are claimed, filled, lent and given up all the time. */
const POOLS: readonly PoolRow[] = [
  aPool('hammer-a', '10.77.0.0/24', { blockSize: 28 }),
  aPool('hammer-b', '10.78.0.0/25', { blockSize: 29 }),
  aPool('hammer-six', 'fd00:77::/120', { blockSize: 124 }),
];

/** Addresses for Services, from blocks that no node owns. */
const BALANCER_POOL = aPool('hammer-lb', '10.79.0.0/26', {
  blockSize: 29,
  allowedUses: ['LoadBalancer'],
});

/** How the cluster of a run is. */
export interface GroundOptions {
  readonly nodes: number;
  readonly isStrict?: boolean | undefined;
  /** The API group; the older one when absent. */
  readonly version?: CalicoVersion | undefined;
  readonly cooldownSeconds?: number | undefined;
  /** Whether Services get addresses, too. */
  readonly hasBalancer?: boolean | undefined;
}

/** Kinds of clusters, by the seed of a run: strict affinity, the newer group, a cooldown and Services take turns. */
export function groundOptionsFor(seed: number): Omit<GroundOptions, 'nodes'> {
  return {
    isStrict: seed % 2 === 0,
    version: seed % 3 === 0 ? 'projectcalico.org/v3' : 'crd.projectcalico.org/v1',
    cooldownSeconds: seed % 5 === 0 ? 1 : 0,
    hasBalancer: seed % 7 === 0,
  };
}

/** Makes an API server of our own a cluster with pools and nodes. */
export async function seedGround(server: ApiServer, options: GroundOptions): Promise<Ground> {
  const { nodes, isStrict = false, cooldownSeconds = 0 } = options;
  const { version = 'crd.projectcalico.org/v1', hasBalancer = false } = options;
  const pools = hasBalancer ? [...POOLS, BALANCER_POOL] : POOLS;
  await applyCrds(server.admin, [version.split('/')[0] as CrdGroup]);
  const hosts = Array.from({ length: nodes }, (_, at) => `hammer-node-${at}`);
  const config = aConfig({ strictAffinity: isStrict, ipCooldownSeconds: cooldownSeconds });
  const rows = [aClusterInformation(), config, ...pools];
  await seedCluster(server.admin, [
    ...rows.map((row) =>
      inGroup(encodeRow({ ...row, revision: undefined, uid: undefined }, 'crd'), version),
    ),
    ...hosts.map((name) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name } })),
  ]);
  return { kubeconfig: server.kubeconfig(), hosts, pools, isOwn: true, cooldownSeconds };
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
  return { kubeconfig, hosts, pools, isOwn: false, cooldownSeconds: 0 };
}
