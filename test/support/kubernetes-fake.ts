import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubernetesConnection } from '../../src/datastore/connection.ts';
import type { Datastore, ListOptions } from '../../src/datastore/datastore.ts';
import { StreamRestart } from '../../src/datastore/datastore.ts';
import { openKubernetesDatastore } from '../../src/datastore/kubernetes/kubernetes-datastore.ts';
import { type Ports, SYSTEM_PORTS } from '../../src/datastore/ports.ts';
import type { JsonObject, ResourceKind } from '../../src/ipam/model/resource.ts';
import type { Row } from '../../src/ipam/model/row.ts';
import type { FakeApiServer } from './fake-api-server.ts';

/** Ports whose waits take no time; they note how long was to be waited. */
export function impatientPorts(): Ports & { readonly waits: number[] } {
  const waits: number[] = [];
  return {
    ...SYSTEM_PORTS,
    random: () => 0,
    sleep: async (milliseconds, signal) => {
      signal?.throwIfAborted();
      waits.push(milliseconds);
      await Promise.resolve();
    },
    waits,
  };
}

/** Opens the product's backend on a fake API server. */
export function openOnFake(
  server: FakeApiServer,
  settings: Partial<KubernetesConnection> = {},
  ports: Ports = impatientPorts(),
): Promise<Datastore> {
  const kubeconfig = server.writeKubeconfig(mkdtempSync(join(tmpdir(), 'ipamctl-fake-')));
  return openKubernetesDatastore(
    { kubeconfig: { value: kubeconfig, origin: 'test' }, env: {}, ...settings },
    ports,
  );
}

/** Rows of a kind, taken again where the stream says so, and how often that was. */
export async function takeRows(
  datastore: Datastore,
  kind: ResourceKind,
  options?: ListOptions,
): Promise<{ names: string[]; rows: Row[]; restarts: number }> {
  for (let restarts = 0; ; restarts++) {
    const rows: Row[] = [];
    try {
      const listing = await datastore.list(kind, options);
      for await (const batch of listing.rows) rows.push(...batch);
      return { names: rows.map((row) => row.key.name), rows, restarts };
    } catch (error) {
      if (!(error instanceof StreamRestart)) throw error;
    }
  }
}

/** What a promise is rejected with. */
export async function failureOf(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error('it did not fail');
}

/** A pool of the older group. */
export function storedPool(name: string): JsonObject {
  return {
    apiVersion: 'crd.projectcalico.org/v1',
    kind: 'IPPool',
    metadata: { name },
    spec: { cidr: '192.0.2.0/24' },
  };
}

/** A pod whose body is some hundred bytes. */
export function storedPod(name: string): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', annotations: { note: 'x'.repeat(200) } },
    spec: { nodeName: 'node-1' },
    status: { phase: 'Running', podIP: '192.0.2.1', podIPs: [{ ip: '192.0.2.1' }] },
  };
}
