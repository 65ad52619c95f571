import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serverBinaries } from './server-binaries.ts';
import {
  freePort,
  scratchFolder,
  startServer,
  waitUntilReady,
  type ServerProcess,
} from './server-process.ts';

const READY_MS = 20_000;
const PATIENCE_MS = 3_000;
const ATTEMPTS = 3;

/** How an etcd is set up; plain and without users when nothing is given. */
export interface EtcdSettings {
  /** Serves over TLS. */
  readonly tls?:
    | {
        readonly cert: string;
        readonly key: string;
        /** Authority whose client certificates are demanded; none are when absent. */
        readonly clientCa?: string | undefined;
      }
    | undefined;
  /** Seconds for which a token is good. */
  readonly tokenSeconds?: number | undefined;
  /** Client port to listen on; a free one when absent. */
  readonly port?: number | undefined;
  /** Bytes that the store may hold; 2 GiB when absent. */
  readonly quotaBytes?: number | undefined;
}

/** A real etcd with an empty store. */
export interface EtcdProcess extends ServerProcess {
  /** Client URL, such as `http://127.0.0.1:PORT`. */
  readonly endpoint: string;
}

/**
 * Starts etcd on free loopback ports. It keeps its data in a scratch folder and never syncs to disk.
 * @throws Error with its log when it does not come up.
 */
export async function startEtcd(settings: EtcdSettings = {}): Promise<EtcdProcess> {
  for (let attempt = 1; ; attempt++) {
    const ports = await freePorts();
    try {
      return await startOn(settings, { ...ports, client: settings.port ?? ports.client });
    } catch (error) {
      // Somebody else may have taken a port since it was found free.
      if (attempt === ATTEMPTS || !String(error).includes('address already in use')) throw error;
    }
  }
}

/**
 * Starts a cluster of three members.
 * @throws Error with the log of a member that does not come up.
 */
export async function startEtcdCluster(): Promise<readonly EtcdProcess[]> {
  const ports = [await freePorts(), await freePorts(), await freePorts()];
  const cluster = ports.map(({ peer }) => peer);
  const started = await Promise.allSettled(ports.map((own) => startOn({}, own, cluster)));
  const members = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const failed = started.find((each) => each.status === 'rejected');
  if (failed === undefined) return members;
  for (const member of members) await member.stop();
  throw new Error('a member of the cluster did not start', { cause: failed.reason });
}

interface Ports {
  readonly client: number;
  readonly peer: number;
  readonly health: number;
}

const handedOut = new Set<number>();

/** Ports that no earlier call has found, since a server may not listen on them yet. */
async function freePorts(): Promise<Ports> {
  const found = new Set<number>();
  while (found.size < 3) {
    const port = await freePort();
    if (!handedOut.has(port)) found.add(port);
    handedOut.add(port);
  }
  const [client = 0, peer = 0, health = 0] = found;
  return { client, peer, health };
}

function urlOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** @param cluster Peer ports of all members. */
async function startOn(
  settings: EtcdSettings,
  ports: Ports,
  cluster: readonly number[] = [ports.peer],
): Promise<EtcdProcess> {
  const plain = urlOf(ports.client);
  const endpoint = settings.tls ? plain.replace('http:', 'https:') : plain;
  const peer = urlOf(ports.peer);
  // Answers without TLS and without a user, whatever the clients need.
  const health = urlOf(ports.health);
  const members = cluster.map((port) => `member-${port}=${urlOf(port)}`);
  const folder = scratchFolder('etcd');
  const server = startServer({
    program: serverBinaries().etcd,
    args: [
      ...['--data-dir', join(folder, 'data'), '--unsafe-no-fsync', '--log-level', 'warn'],
      ...['--listen-client-urls', endpoint, '--advertise-client-urls', endpoint],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
      ...['--name', `member-${ports.peer}`, '--initial-cluster', members.join(',')],
      ...['--listen-metrics-urls', health, ...settingArgs(settings, folder)],
    ],
    folder,
    patienceMs: PATIENCE_MS,
  });
  await waitOrStop(server, async () => (await fetch(`${health}/health`)).ok);
  return { ...server, endpoint };
}

function settingArgs({ tls, tokenSeconds, quotaBytes }: EtcdSettings, folder: string): string[] {
  const file = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  return [
    ...(quotaBytes === undefined ? [] : ['--quota-backend-bytes', String(quotaBytes)]),
    ...(tls
      ? ['--cert-file', file('cert.pem', tls.cert), '--key-file', file('key.pem', tls.key)]
      : []),
    ...(tls?.clientCa
      ? ['--client-cert-auth', '--trusted-ca-file', file('ca.pem', tls.clientCa)]
      : []),
    ...(tokenSeconds === undefined ? [] : ['--auth-token-ttl', String(tokenSeconds)]),
  ];
}

/** A user of etcd and the prefix that it may read, or read and write. */
export interface EtcdUser {
  readonly name: string;
  readonly password: string;
  readonly prefix: string;
  readonly right: 'READ' | 'READWRITE';
}

const ROOT = { name: 'root', password: 'root-of-the-tests' } as const;

/** Makes users on an etcd without TLS and switches the checking of users on, with `root` as the administrator. */
export async function enableUsers(etcd: EtcdProcess, users: readonly EtcdUser[]): Promise<void> {
  const post = async (path: string, body: object): Promise<void> => {
    const response = await fetch(`${etcd.endpoint}/v3/auth/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  };
  await post('user/add', ROOT);
  await post('user/grant', { user: ROOT.name, role: 'root' });
  for (const { name, password, prefix, right } of users) {
    await post('user/add', { name, password });
    await post('role/add', { name });
    const perm = { permType: right, key: base64(prefix), range_end: base64(endOf(prefix)) };
    await post('role/grant', { name, perm });
    await post('user/grant', { user: name, role: name });
  }
  await post('enable', {});
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** The text after all that begin with this one. */
function endOf(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}

async function waitOrStop(server: ServerProcess, isReady: () => Promise<boolean>): Promise<void> {
  try {
    await waitUntilReady(server, isReady, READY_MS);
  } catch (error) {
    await server.stop();
    throw error;
  }
}
