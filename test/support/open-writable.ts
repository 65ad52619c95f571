import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubernetesConnection } from '../../src/datastore/connection.ts';
import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import { openKubernetesDatastore } from '../../src/datastore/kubernetes/kubernetes-datastore.ts';
import { type Ports, SYSTEM_PORTS } from '../../src/datastore/ports.ts';
import type { FakeApiServer } from './fake-api-server.ts';

/** Waits that were asked for, in milliseconds. */
export type NotingPorts = Ports & { readonly waits: number[] };

/** Ports whose waits take no time. */
export function notingPorts(): NotingPorts {
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

/** Opens a fake API server for writing. */
export function openWritable(
  server: FakeApiServer,
  ports: Ports = notingPorts(),
  settings: Partial<KubernetesConnection> = {},
): Promise<WritableDatastore> {
  const kubeconfig = server.writeKubeconfig(mkdtempSync(join(tmpdir(), 'ipamctl-fake-')));
  const connection = { kubeconfig: { value: kubeconfig, origin: 'test' }, env: {}, ...settings };
  return openKubernetesDatastore(connection, ports);
}
