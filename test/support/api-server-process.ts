import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiClient, type ApiClient } from './api-client.ts';
import { startEtcd, type EtcdProcess, type EtcdSettings } from './etcd-process.ts';
import { serverBinaries } from './server-binaries.ts';
import {
  freePort,
  scratchFolder,
  startServer,
  waitUntilReady,
  type ServerProcess,
} from './server-process.ts';

const READY_MS = 60_000;
const PATIENCE_MS = 4_000;

/** Users that the server knows by token; each kubeconfig has a context of the same name. */
export const API_USERS = {
  /** May do everything. */
  admin: 'system:masters',
  /** May do nothing but ask what it may do. */
  nobody: 'nobodies',
} as const;

/** One of {@link API_USERS}. */
export type ApiUser = keyof typeof API_USERS;

/** A real kube-apiserver with its own etcd. No controller runs, so nothing binds, restarts or garbage-collects. */
export interface ApiServer {
  /** `https://127.0.0.1:PORT`. */
  readonly server: string;
  /** PEM file of its certificate, which is its own CA. */
  readonly caFile: string;
  /** Client of the user who may do everything. */
  readonly admin: ApiClient;
  readonly etcd: EtcdProcess;
  token(user: ApiUser): string;
  /** Path of a kubeconfig whose current context is the user. */
  kubeconfig(user?: ApiUser): string;
  stop(): Promise<void>;
}

/**
 * Starts etcd and kube-apiserver on free loopback ports; takes some 5 s and 450 MB. TLS is verified against the
 * certificate that the server makes for itself.
 * @param store How its etcd is set up.
 * @throws Error with the server's log when it does not come up.
 */
export async function startApiServer(store: EtcdSettings = {}): Promise<ApiServer> {
  const etcd = await startEtcd(store);
  try {
    return await startOn(etcd);
  } catch (error) {
    await etcd.stop();
    throw error;
  }
}

async function startOn(etcd: EtcdProcess): Promise<ApiServer> {
  const folder = scratchFolder('apiserver');
  const port = await freePort();
  writeCredentials(folder);
  const process = startServer({
    program: serverBinaries().apiServer,
    args: serverArguments(folder, port, etcd.endpoint),
    folder,
    patienceMs: PATIENCE_MS,
  });
  const server = `https://127.0.0.1:${port}`;
  const caFile = join(folder, 'apiserver.crt');
  try {
    await waitUntilReady(process, () => isReady(server, caFile), READY_MS);
  } catch (error) {
    await process.stop();
    throw error;
  }
  return describe({ folder, server, caFile, process, etcd });
}

function serverArguments(folder: string, port: number, etcdEndpoint: string): string[] {
  const file = (name: string): string => join(folder, name);
  return [
    `--etcd-servers=${etcdEndpoint}`,
    `--secure-port=${port}`,
    '--bind-address=127.0.0.1',
    `--cert-dir=${folder}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${file('sa.pub')}`,
    `--service-account-signing-key-file=${file('sa.key')}`,
    '--service-cluster-ip-range=10.0.0.0/24',
    '--authorization-mode=RBAC',
    `--token-auth-file=${file('tokens.csv')}`,
    // Without controllers no namespace gets its default service account, which this plugin would demand of every pod.
    '--disable-admission-plugins=ServiceAccount',
    // Test files of several processes may seed at once.
    '--max-requests-inflight=800',
    '--max-mutating-requests-inflight=400',
    '--v=1',
  ];
}

const tokenOf = (user: ApiUser): string => `token-of-${user}`;

/** Writes the keys, the tokens and one kubeconfig a user. */
function writeCredentials(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  writeFileSync(join(folder, 'sa.pub'), publicKey);
  writeFileSync(join(folder, 'sa.key'), privateKey, { mode: 0o600 });
  const users = Object.entries(API_USERS) as [ApiUser, string][];
  const lines = users.map(([user, group]) => `${tokenOf(user)},${user},uid-of-${user},${group}`);
  writeFileSync(join(folder, 'tokens.csv'), `${lines.join('\n')}\n`, { mode: 0o600 });
}

async function isReady(server: string, caFile: string): Promise<boolean> {
  const client = apiClient({ server, ca: readFileSync(caFile, 'utf8'), token: tokenOf('admin') });
  try {
    return (await client.request('GET', '/readyz')).status === 200;
  } finally {
    client.close();
  }
}

interface Parts {
  readonly folder: string;
  readonly server: string;
  readonly caFile: string;
  readonly process: ServerProcess;
  readonly etcd: EtcdProcess;
}

function describe(parts: Parts): ApiServer {
  const { server, caFile, etcd } = parts;
  const admin = apiClient({ server, ca: readFileSync(caFile, 'utf8'), token: tokenOf('admin') });
  return {
    server,
    caFile,
    admin,
    etcd,
    token: tokenOf,
    kubeconfig: (user = 'admin') => writeKubeconfig(parts, user),
    async stop() {
      admin.close();
      // An API server whose etcd is gone hangs, so it goes first.
      await parts.process.stop();
      await etcd.stop();
    },
  };
}

function writeKubeconfig({ folder, server, caFile }: Parts, current: ApiUser): string {
  const users = Object.keys(API_USERS) as ApiUser[];
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server, 'certificate-authority': caFile } }],
    users: users.map((name) => ({ name, user: { token: tokenOf(name) } })),
    contexts: users.map((name) => ({ name, context: { cluster: 'test', user: name } })),
    'current-context': current,
  };
  const path = join(folder, `kubeconfig-${current}`);
  writeFileSync(path, JSON.stringify(config, undefined, 2), { mode: 0o600 });
  return path;
}
