import { mkdtempSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import { storedKindOf } from '../../src/datastore/codec/object-form.ts';
import { openEtcdDatastore } from '../../src/datastore/etcd/etcd-datastore.ts';
import { openKubernetesDatastore } from '../../src/datastore/kubernetes/kubernetes-datastore.ts';
import { MemoryDatastore } from '../../src/datastore/memory/memory-datastore.ts';
import type { ObjectStore } from '../../src/datastore/object-store.ts';
import { openDatastore } from '../../src/datastore/open-datastore.ts';
import type { JsonObject } from '../../src/ipam/model/resource.ts';
import { stringifyJson } from '../../src/support/json.ts';
import type { ApiServer } from '../support/api-server-process.ts';
import type { CrdGroup } from '../support/crds.ts';
import { type FakeApiServer, startFakeApiServer } from '../support/fake-api-server.ts';
import { type CalicoVersion, seedCluster } from '../support/seed-cluster.ts';
import { EtcdStore } from '../support/etcd-store.ts';
import { requireApiServer, requireEtcd } from '../support/shared-servers.ts';
import { wipe } from '../support/wipe.ts';
import { describeObjectsContract } from './objects-contract.ts';
import { ETCD_SEED, entryPath, KUBERNETES_NODES, SEEDED_OBJECTS } from './objects-seed.ts';

const OLDER_SEED = [...SEEDED_OBJECTS.map(({ older }) => older), ...KUBERNETES_NODES];
const NEWER_SEED = [...SEEDED_OBJECTS.map(({ shown }) => shown), ...KUBERNETES_NODES];

function filled(memory: MemoryDatastore, objects: readonly JsonObject[]): MemoryDatastore {
  for (const object of objects) {
    const kind = storedKindOf(object['apiVersion'] as string, object['kind'] as string);
    if (kind === undefined) throw new Error('a seed of unknown kind');
    memory.put(kind, object);
  }
  return memory;
}

describeObjectsContract('memory, older group', {
  nodes: 'kubernetes',
  unseeded: 'not-loaded',
  open: async () => filled(new MemoryDatastore(), OLDER_SEED),
});

describeObjectsContract('memory, newer group', {
  nodes: 'kubernetes',
  unseeded: 'not-loaded',
  open: async () => filled(new MemoryDatastore(undefined, { flavor: 'v3' }), NEWER_SEED),
});

describeObjectsContract('memory, resources of a migration file', {
  nodes: 'calico',
  unseeded: 'not-loaded',
  open: async () =>
    filled(new MemoryDatastore(undefined, { flavor: 'etcd', hasResourceObjects: true }), ETCD_SEED),
});

describeObjectsContract('memory, entries of etcd', {
  nodes: 'calico',
  unseeded: 'not-loaded',
  open: async () => {
    const memory = new MemoryDatastore(undefined, { flavor: 'etcd' });
    for (const object of ETCD_SEED) memory.putEntry(entryPath(object), object);
    return memory;
  },
});

/** The same datastore, but each write of an object is flushed, and objects are those of the files opened again. */
function reopening(datastore: WritableDatastore, file: string): WritableDatastore {
  const objects = demandObjects(datastore);
  let isClosed = false;
  const reopened = async (): Promise<ObjectStore> =>
    isClosed ? objects : demandObjects(await openDatastore({ snapshot: file, env: {} }));
  const flushed = async <T>(write: Promise<T>): Promise<T> => {
    const result = await write;
    await datastore.flush?.();
    return result;
  };
  const store: ObjectStore = {
    list: async (...args) => (await reopened()).list(...args),
    get: async (...args) => (await reopened()).get(...args),
    create: (...args) => flushed(objects.create(...args)),
    update: (...args) => flushed(objects.update(...args)),
    remove: (...args) => flushed(objects.remove(...args)),
  };
  return Object.assign(Object.create(datastore) as WritableDatastore, {
    objects: store,
    keys: datastore.keys,
    get: (...args: Parameters<WritableDatastore['get']>) => datastore.get(...args),
    update: (...args: Parameters<WritableDatastore['update']>) =>
      flushed(datastore.update(...args)),
    flush: async () => datastore.flush?.(),
    close: async () => {
      isClosed = true;
      await datastore.close();
    },
  });
}

function demandObjects({ objects }: WritableDatastore): ObjectStore {
  if (objects === undefined) throw new Error('the backend has no objects');
  return objects;
}

describe('objects of etcd', () => {
  let endpoint: string;
  let store: EtcdStore;

  before(async function () {
    ({ endpoint } = await requireEtcd(this));
    store = new EtcdStore(endpoint);
  });

  const open = (pageSize?: number) => async () => {
    await store.wipe();
    await store.put(ETCD_SEED.map((object) => [entryPath(object), stringifyJson(object)]));
    const endpoints = { value: endpoint, origin: 'test' };
    return openEtcdDatastore({ endpoints, env: {}, pageSize });
  };

  // Calico sets a new revision whatever a write changes.
  const like = { nodes: 'calico', unseeded: undefined, keepsUnchanged: false } as const;
  describeObjectsContract('etcd', { ...like, open: open() });
  describeObjectsContract('etcd in small pages', { ...like, open: open(2) });
});

describe('objects of files', () => {
  const folders: string[] = [];

  after(async () => {
    for (const folder of folders) await rm(folder, { recursive: true });
  });

  const opening = (text: string) => async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ipamctl-contract-'));
    folders.push(folder);
    const file = join(folder, 'dump');
    await writeFile(file, text);
    return reopening(await openDatastore({ snapshot: file, env: {} }), file);
  };

  const yaml = (objects: readonly JsonObject[]): string =>
    objects.map((object) => stringify(object, { version: '1.1' })).join('---\n');

  describeObjectsContract('snapshot of YAML documents, older group', {
    nodes: 'kubernetes',
    unseeded: 'not-loaded',
    open: opening(yaml(OLDER_SEED)),
  });

  describeObjectsContract('snapshot of one JSON list, newer group', {
    nodes: 'kubernetes',
    unseeded: 'not-loaded',
    open: opening(stringifyJson({ apiVersion: 'v1', kind: 'List', items: [...NEWER_SEED] }, 2)),
  });

  const lists = Object.entries(Object.groupBy(ETCD_SEED, (object) => object['kind'] as string)).map(
    ([kind, items = []]) => ({ apiVersion: 'projectcalico.org/v3', kind: `${kind}List`, items }),
  );
  const parts = [
    yaml(lists),
    stringifyJson({
      apiVersion: 'projectcalico.org/v3',
      kind: 'ClusterInformation',
      metadata: { name: 'default' },
      spec: { datastoreReady: false },
    }),
    stringifyJson({ block_affinities: [], blocks: [], handles: [], config: null }),
  ];

  describeObjectsContract('snapshot of a migration file', {
    nodes: 'calico',
    unseeded: 'not-loaded',
    open: opening(parts.join('\n===\n')),
  });
});

const VERSIONS: readonly CalicoVersion[] = ['crd.projectcalico.org/v1', 'projectcalico.org/v3'];

for (const version of VERSIONS) {
  const group = version.split('/')[0] as CrdGroup;
  const seed = version === 'projectcalico.org/v3' ? NEWER_SEED : OLDER_SEED;

  describe(`objects of the in-process server, ${version}`, () => {
    let server: FakeApiServer;

    before(async () => {
      server = await startFakeApiServer({ groups: [group] });
      server.missing.add(`bgpfilters.${group}`);
    });

    after(async () => {
      await server.stop();
    });

    const open = (pageSize?: number) => async () => {
      server.store.clear();
      await seedCluster(server.client(), seed);
      const kubeconfig = server.writeKubeconfig(mkdtempSync(join(tmpdir(), 'ipamctl-fake-')));
      return openKubernetesDatastore({
        kubeconfig: { value: kubeconfig, origin: 'test' },
        env: {},
        pageSize,
      });
    };

    const like = { nodes: 'kubernetes', unseeded: 'not-installed' } as const;
    describeObjectsContract('streamed', { ...like, open: open() });
    describeObjectsContract('in pages', { ...like, open: open(2) });
  });

  describe(`objects of a real API server, ${version}`, () => {
    let server: ApiServer;

    before(async function () {
      server = await requireApiServer(this, [group], { carried: true });
      await server.admin.request(
        'DELETE',
        `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/bgpfilters.${group}`,
      );
    });

    describeObjectsContract('kubernetes', {
      nodes: 'kubernetes',
      unseeded: 'not-installed',
      open: async () => {
        await wipe(server.admin);
        await seedCluster(server.admin, seed);
        return openKubernetesDatastore({
          kubeconfig: { value: server.kubeconfig(), origin: 'test' },
          env: {},
        });
      },
    });
  });
}
