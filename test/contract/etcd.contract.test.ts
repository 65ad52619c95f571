import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BesideKubernetes } from '../../src/datastore/beside-kubernetes.ts';
import { decodeEntry, decodeObject, resourceKindOf } from '../../src/datastore/codec/decode.ts';
import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import { openEtcdDatastore } from '../../src/datastore/etcd/etcd-datastore.ts';
import { openKubernetesDatastore } from '../../src/datastore/kubernetes/kubernetes-datastore.ts';
import type { JsonObject } from '../../src/ipam/model/resource.ts';
import type { Row } from '../../src/ipam/model/row.ts';
import { parseJson } from '../../src/support/json.ts';
import { EtcdStore } from '../support/etcd-store.ts';
import { type FakeApiServer, startFakeApiServer } from '../support/fake-api-server.ts';
import { seedCluster } from '../support/seed-cluster.ts';
import { seedEntry } from '../support/seed-entries.ts';
import { requireEtcd } from '../support/shared-servers.ts';
import type { ContractSeed } from './contract-seed.ts';
import { describeDatastoreContract } from './datastore-contract.ts';
import { describeWritingContract } from './writing-contract.ts';

/** The row of an object of a seed: the one of its entry, or that of Kubernetes. */
function rowOf(object: JsonObject): Row | undefined {
  const entry = seedEntry(object);
  if (entry) return decodeEntry(entry[0], parseJson(entry[1]));
  const kind = resourceKindOf(object['apiVersion'] as string, object['kind'] as string);
  return kind && decodeObject(kind, object);
}

describe('etcd beside the objects of a cluster', () => {
  let server: FakeApiServer;
  let store: EtcdStore;
  let endpoint: string;

  before(async function () {
    ({ endpoint } = await requireEtcd(this));
    store = new EtcdStore(endpoint);
    server = await startFakeApiServer({ groups: ['kubevirt.io'] });
  });

  after(async () => {
    await server.stop();
  });

  const open =
    (pageSize?: number) =>
    async ({ objects }: ContractSeed): Promise<WritableDatastore> => {
      await store.wipe();
      server.store.clear();
      await store.put(objects.map(seedEntry).filter((entry) => entry !== undefined));
      await seedCluster(
        server.client(),
        objects.filter((object) => seedEntry(object) === undefined),
      );
      const kubeconfig = server.writeKubeconfig(mkdtempSync(join(tmpdir(), 'ipamctl-fake-')));
      const endpoints = { value: endpoint, origin: 'test' };
      return new BesideKubernetes(
        await openEtcdDatastore({ endpoints, env: {}, pageSize }),
        await openKubernetesDatastore(
          { kubeconfig: { value: kubeconfig, origin: 'test' }, env: {} },
          undefined,
          { calico: 'ignored' },
        ),
      );
    };

  const traits = { unseeded: undefined, knowsEmptyKinds: false, rowOf };
  describeDatastoreContract('etcd', { ...traits, open: open() });
  describeDatastoreContract('etcd in small pages', { ...traits, open: open(7) });
  describeWritingContract('etcd', { open: open() });
});
