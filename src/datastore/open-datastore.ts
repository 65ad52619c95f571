import { UsageError } from '../errors/usage-error.ts';
import { BesideKubernetes } from './beside-kubernetes.ts';
import {
  type Connection,
  type ConnectionSettings,
  configuredFiles,
  resolveConnection,
  resolveOtherSide,
} from './config.ts';
import type { KubernetesConnection } from './connection.ts';
import type { SourceDescription, WritableDatastore } from './datastore.ts';
import type { Definition } from './definitions.ts';
import type { MigrationSource } from './migration-file.ts';

/** Where a command's data come from. */
export interface ConnectionOptions extends ConnectionSettings {
  /** File or folder to open in place of a live cluster; `-` for standard input. */
  readonly snapshot?: string | undefined;
  /** What `-` reads; the standard input of the process when absent. */
  readonly stdin?: AsyncIterable<Uint8Array> | undefined;
  /** Told of each file that the datastore rests on; may refuse it. */
  readonly onFile?: ((path: string) => Promise<void>) | undefined;
  /** Takes a sentence about the input that the user should see. */
  readonly warn?: ((text: string) => void) | undefined;
  /** Milliseconds since 1970, for creation times where no server gives them; the system's clock when absent. */
  readonly now?: (() => number) | undefined;
  /** API group for a cluster that serves neither of Calico's yet; without it such a cluster is refused. */
  readonly groupIfAbsent?: string | undefined;
}

type EtcdSide = Pick<Extract<Connection, { type: 'etcdv3' }>, 'etcd' | 'kubernetes'>;

/**
 * Opens the datastore that flags, environment and configuration file point to. Only the backends in use are loaded.
 *
 * @throws {@link UsageError} when a snapshot should come from a terminal.
 * @throws {@link DataError} when a snapshot cannot be read.
 * @throws {@link ConfigError} naming the origin of a setting that is wrong.
 * @throws {@link UnsupportedError} for a cluster without Calico IPAM.
 */
export async function openDatastore(options: ConnectionOptions): Promise<WritableDatastore> {
  const { snapshot } = options;
  if (snapshot !== undefined) return openFiles(snapshot, options);
  const { groupIfAbsent, onFile } = options;
  if (onFile) for (const file of await configuredFiles(options)) await onFile(file);
  const connection = await resolveConnection(options);
  if (connection.type === 'etcdv3') return openEtcd(connection, options);
  return openKubernetes({ ...connection.kubernetes, groupIfAbsent });
}

/**
 * Opens the other place in which Calico may keep data beside what {@link openDatastore} opens: of etcd and a cluster, both
 * of which are configured, the one that is not selected. A cluster without Calico's kinds has no rows of them.
 */
export async function openOtherSide(
  options: ConnectionOptions,
): Promise<WritableDatastore | undefined> {
  if (options.snapshot !== undefined) return undefined;
  const other = await resolveOtherSide(options);
  return other && unopened(other, 'optional', options).open();
}

/** A side of a migration that is not opened yet, with what is known of it. */
export interface UnopenedSide {
  readonly source: SourceDescription;
  open(): Promise<WritableDatastore>;
}

/**
 * The places in which Calico may keep data, the selected one first: what {@link openDatastore} opens and what
 * {@link openOtherSide} does, each on its own and with Calico's data alone.
 * @throws {@link ConfigError} naming the origin of a setting that is wrong.
 */
export async function unopenedSides(options: ConnectionOptions): Promise<readonly UnopenedSide[]> {
  const { snapshot } = options;
  if (snapshot !== undefined)
    return [
      {
        source: { datastore: 'snapshot', file: snapshot },
        open: () => openFiles(snapshot, options),
      },
    ];
  const selected = await resolveConnection(options);
  const other = await resolveOtherSide(options);
  return [
    unopened(selected, 'required', options),
    ...(other ? [unopened(other, 'optional', options)] : []),
  ];
}

function unopened(
  connection: Connection,
  calico: 'required' | 'optional',
  options: ConnectionOptions,
): UnopenedSide {
  if (connection.type === 'etcdv3') {
    const { etcd } = connection;
    return { source: { datastore: 'etcd' }, open: () => openEtcd({ etcd }, options) };
  }
  const { kubernetes } = connection;
  return {
    source: { datastore: 'kubernetes', context: kubernetes.context?.value },
    open: () => openKubernetes(kubernetes, calico),
  };
}

/**
 * Opens a migration file to be imported, plain or gzip; `-` is standard input.
 *
 * @throws {@link UsageError} when it should come from a terminal.
 * @throws {@link DataError} when it is absent, cut, or no migration file.
 */
export async function openMigrationFile(
  path: string,
  { stdin = process.stdin, signal }: Pick<ConnectionOptions, 'stdin' | 'signal'> = {},
): Promise<MigrationSource> {
  if (path === '-' && 'isTTY' in stdin && stdin.isTTY) {
    throw new UsageError('--filename -: standard input is a terminal', {
      hint: 'pipe a migration file into the command, or name one',
    });
  }
  const { openMigration } = await import('./snapshot/open-migration.ts');
  return openMigration(path, { stdin, signal });
}

/**
 * Reads definitions of custom resources from a file or folder; `-` is standard input.
 *
 * @throws {@link DataError} naming the file when it cannot be read or holds something else.
 */
export async function openDefinitions(
  path: string,
  { stdin = process.stdin, signal }: Pick<ConnectionOptions, 'stdin' | 'signal'> = {},
): Promise<readonly Definition[]> {
  const { openDefinitions: open } = await import('./snapshot/open-definitions.ts');
  return open(path, { stdin, signal });
}

async function openFiles(snapshot: string, options: ConnectionOptions): Promise<WritableDatastore> {
  const { openSnapshot } = await import('./snapshot/snapshot-datastore.ts');
  const { signal, warn, now, onFile } = options;
  const stdin = snapshot === '-' ? (options.stdin ?? process.stdin) : undefined;
  if (stdin !== undefined && 'isTTY' in stdin && stdin.isTTY) {
    throw new UsageError('--snapshot -: standard input is a terminal', {
      hint: 'pipe a dump into the command, or name a file or folder',
    });
  }
  return openSnapshot(snapshot, { stdin, signal, warn, now, onFile });
}

async function openKubernetes(
  connection: KubernetesConnection,
  calico: 'required' | 'optional' | 'ignored' = 'required',
): Promise<WritableDatastore> {
  const { openKubernetesDatastore } = await import('./kubernetes/kubernetes-datastore.ts');
  return openKubernetesDatastore(connection, undefined, { calico });
}

/** Etcd, beside the objects of Kubernetes where a cluster is configured. */
async function openEtcd(
  { etcd, kubernetes }: EtcdSide,
  { now }: Pick<ConnectionOptions, 'now'>,
): Promise<WritableDatastore> {
  const { openEtcdDatastore } = await import('./etcd/etcd-datastore.ts');
  const calico = await openEtcdDatastore(etcd, { now });
  if (kubernetes === undefined) return calico;
  try {
    return new BesideKubernetes(calico, await openKubernetes(kubernetes, 'ignored'));
  } catch (error) {
    await calico.close();
    throw error;
  }
}
