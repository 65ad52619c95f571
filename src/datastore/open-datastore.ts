import { UnsupportedError } from '../errors/unsupported-error.ts';
import { UsageError } from '../errors/usage-error.ts';
import { type ConnectionSettings, resolveConnection } from './config.ts';
import type { WritableDatastore } from './datastore.ts';

/** Where a command's data come from. */
export interface ConnectionOptions extends ConnectionSettings {
  /** File or folder to open in place of a live cluster; `-` for standard input. */
  readonly snapshot?: string | undefined;
  /** What `-` reads; the standard input of the process when absent. */
  readonly stdin?: AsyncIterable<Uint8Array> | undefined;
  /** Takes a sentence about the input that the user should see. */
  readonly warn?: ((text: string) => void) | undefined;
}

/**
 * Opens the datastore that flags, environment and configuration file point to. Only the backend in use is loaded.
 *
 * @throws {@link UsageError} when a snapshot should come from a terminal.
 * @throws {@link DataError} when a snapshot cannot be read.
 * @throws {@link ConfigError} naming the origin of a setting that is wrong.
 * @throws {@link UnsupportedError} for etcd, or a cluster without Calico IPAM.
 */
export async function openDatastore(options: ConnectionOptions): Promise<WritableDatastore> {
  if (options.snapshot !== undefined) {
    const { openSnapshot } = await import('./snapshot/snapshot-datastore.ts');
    const { snapshot, stdin = process.stdin, signal, warn } = options;
    if (snapshot === '-' && 'isTTY' in stdin && stdin.isTTY) {
      throw new UsageError('--snapshot -: standard input is a terminal', {
        hint: 'pipe a dump into the command, or name a file or folder',
      });
    }
    return openSnapshot(snapshot, { stdin, signal, warn });
  }
  const connection = await resolveConnection(options);
  if (connection.type === 'etcdv3') {
    throw new UnsupportedError(
      `${connection.origin} selects etcd, which this version cannot read`,
      {
        hint: 'export the datastore with calicoctl and open the file with --snapshot',
      },
    );
  }
  const { openKubernetesDatastore } = await import('./kubernetes/kubernetes-datastore.ts');
  return openKubernetesDatastore(connection.kubernetes);
}
